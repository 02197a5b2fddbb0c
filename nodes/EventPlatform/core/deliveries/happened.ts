import { Failure } from '../http/failure';
import { pathTo } from '../http/path';
import type { Api, ApiRequest, JsonObject } from '../http/ports';
import type { Delivery } from './delivery';
import { passes, type Filters } from './filters';
import { kindOf, type Subject } from './kinds';
import { listDelivered, type DeliveredRecord } from './record';

export function canBeListed(kind: string): boolean {
	return kindOf(kind).when !== undefined;
}

/** Whether sessions have to be listed to find these. */
export function areOfSessions(kinds: readonly string[]): boolean {
	return listed(kinds, 'session').length + listed(kinds, 'people').length > 0;
}

function listed(kinds: readonly string[], subject: Subject): string[] {
	return kinds.filter((kind) => kindOf(kind).subject === subject && canBeListed(kind));
}

export interface Look {
	kinds: readonly string[];
	filters: Filters;
	/** From when on a list is looked at, in Unix seconds. */
	since(list: string): number;
	sessions: readonly DeliveredRecord[];
	/** The sessions whose people are read. */
	mayHaveNews(session: DeliveredRecord): boolean;
	/** The most records that are read of a list; absent: all. */
	limit?: number;
}

export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	/** The path of the list that shows it. */
	list: string;
	/** What the session shows that a person is listed in. */
	session?: JsonObject;
}

/**
 * What happened as far as the platform lists it, oldest first: one request for each page of changed
 * events, and for each page of people in a session that may have news.
 */
export async function findHappened(api: Api, look: Look): Promise<Happened[]> {
	const { kinds, filters, since, sessions, limit } = look;
	const found: Happened[] = [];

	function add(
		list: string,
		subject: Subject,
		records: readonly DeliveredRecord[],
		session?: JsonObject,
	): void {
		const wanted = listed(kinds, subject);
		for (const record of records) {
			for (const kind of wanted) {
				const at = Number(kindOf(kind).when?.(record, session ?? {}));
				if (at > 0 && at >= since(list) && passes({ kind, record }, filters)) {
					found.push({ kind, record, at, list, session });
				}
			}
		}
	}

	if (listed(kinds, 'event').length > 0) {
		const query = updatedSince(since('/events'));
		add('/events', 'event', await listDelivered(api, '/events', { query, limit }));
	}
	add('/sessions', 'session', sessions);
	if (listed(kinds, 'people').length > 0) {
		for (const session of sessions) {
			if (!mayMatter(session, look)) continue;
			const list = peopleOf(session);
			const query = mayBeUntouched(session, look) ? undefined : updatedSince(since(list));
			const people = await listDelivered(api, list, { query, limit }).catch(unlessGone);
			add(list, 'people', people ?? [], session.attributes);
		}
	}
	return found.sort((one, other) => one.at - other.at);
}

/** What was subscribed to and may not have been delivered. */
export interface Gap {
	kinds: readonly string[];
	/** Milliseconds since 1970. */
	since: number;
}

/** What happened in a gap: one request more for each page of sessions, also of those that are over. */
export async function findMissed(api: Api, gap: Gap, filters: Filters): Promise<Happened[]> {
	const { kinds } = gap;
	const since = Math.floor(gap.since / 1_000);
	// All of them for people: whether a registration changes the session's updated_at is not documented.
	const query = listed(kinds, 'people').length > 0 ? undefined : updatedSince(since);
	const sessions = areOfSessions(kinds) ? await listDelivered(api, '/sessions', { query }) : [];
	const mayHaveNews = ({ attributes }: DeliveredRecord) =>
		!attributes.ended_at || isSince(attributes, ['ended_at', 'updated_at'], since);
	return await findHappened(api, { kinds, filters, since: () => since, sessions, mayHaveNews });
}

/** Whether one of these times is so late. */
export function isSince(attributes: JsonObject, times: readonly string[], since: number): boolean {
	return times.some((name) => Number(attributes[name]) >= since);
}

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

function updatedSince(seconds: number): NonNullable<ApiRequest['query']> {
	return { 'filter[updated_since]': seconds };
}

function mayMatter(session: DeliveredRecord, { filters, mayHaveNews }: Look): boolean {
	return passes({ kind: 'session.created', record: session }, filters) && mayHaveNews(session);
}

/** The end of a session makes absentees of people whose records nobody touched. */
function mayBeUntouched(session: DeliveredRecord, { kinds, since }: Look): boolean {
	const hasJustEnded = isSince(session.attributes, ['ended_at'], since(peopleOf(session)));
	return hasJustEnded && kinds.some((kind) => /^people\.(?:not_)?attended$/.test(kind));
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): undefined {
	if (error instanceof Failure && error.reason === 'not_found') return undefined;
	throw error;
}
