import { isObject } from '../http/json';
import { attributesOf, readRecord } from '../http/jsonApi';
import { keepLatest } from '../http/collections';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, Json, JsonObject } from '../http/ports';
import { eventOf, readDelivered, type DeliveredRecord } from './record';

/** What people know a session and its event by. */
export interface Titles extends JsonObject {
	event_title: Json;
	session_name: Json;
}

/** Costs no request more. */
export const withEvent = { include: 'event' };

/** Gives the sessions of an answer the title of their event, which stands beside them. */
export function eventTitles(body: unknown): (record: JsonObject) => JsonObject {
	const included = isObject(body) && Array.isArray(body.included) ? body.included : [];
	const events = included.flatMap((one) => readDelivered(one) ?? []);
	const titles = new Map(events.map(({ id, attributes }) => [id, attributes.title ?? null]));
	return (record) => {
		const session = readDelivered(record);
		const event_title = session && titles.get(eventOf(session) ?? '');
		if (event_title === undefined) return record;
		return { ...record, attributes: { event_title, ...attributesOf(record) } };
	};
}

/** A session with the title of its event. */
export async function readTitled(
	api: Ask,
	id: string,
	more?: Pick<ApiRequest, 'deadline' | 'once'>,
): Promise<JsonObject> {
	const path = pathTo`/sessions/${id}`;
	const request: ApiRequest = { method: 'GET', path, query: withEvent, ...more };
	const answer = await api(request);
	return eventTitles(answer.body)(readRecord(request, answer));
}

export function titlesOf({ attributes }: Pick<DeliveredRecord, 'attributes'>): Titles {
	const { event_title = null, name = null } = attributes;
	return { event_title, session_name: name };
}

const atMost = 200;
const patienceMs = 3_000;

/** The titles of the sessions that deliveries were about: each is read once in a process. */
export class KnownTitles {
	private readonly known = new Map<string, Promise<Titles>>();

	has(session: string): boolean {
		return this.known.has(session);
	}

	/** Rejects where the platform does not tell; it is asked again the next time. */
	of(session: string, connect: () => Promise<{ api: Ask }>, now: number): Promise<Titles> {
		const read = async () => {
			const { api } = await connect();
			const record = await readTitled(api, session, { deadline: now + patienceMs, once: true });
			return titlesOf({ attributes: attributesOf(record) });
		};
		const known = this.known.get(session) ?? read();
		this.known.set(session, known);
		known.catch(() => this.known.delete(session));
		keepLatest(this.known, atMost);
		return known;
	}
}
