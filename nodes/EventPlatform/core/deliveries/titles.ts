import { attributesOf, includedIn, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, Json, JsonObject } from '../http/ports';
import { eventOf, readDelivered } from './record';

/** What people know a session and its event by. */
export interface Titles extends JsonObject {
	event_title: Json;
	session_name: Json;
}

/** Costs no request more. */
export const withEvent = { include: 'event' };

/** Gives the sessions of an answer the title of their event, which stands beside them. */
export function eventTitles(body: unknown): (record: JsonObject) => JsonObject {
	const events = includedIn(body).flatMap((one) => readDelivered(one) ?? []);
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

export function titlesOf({ event_title = null, name = null }: JsonObject): Titles {
	return { event_title, session_name: name };
}
