import { Failure } from '../http/failure';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import type { Delivery } from './delivery';
import { passes, passesFor, type Filters } from './filters';
import { kindOf, type Subject } from './kinds';
import { eventTitles, titlesOf, withEvent, type Titles } from './titles';
import { inSession, listDelivered, seconds, type DeliveredRecord } from './record';

/** An event as a list of the platform shows it. */
export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	/** The path of the list that shows it. */
	list: string;
	/** Of its session and event. */
	titles?: Titles;
	/** Its time does not tell whether it is new in the list. */
	isLate: boolean;
}

export const lists = { events: '/events', sessions: '/sessions', jobs: '/jobs' };

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

export function canBeListed(kind: string): boolean {
	return kindOf(kind).when !== undefined;
}

/** Of these kinds, the ones that are found in lists of such records. */
export function listed(kinds: readonly string[], subject: Subject): string[] {
	return kinds.filter((kind) => kindOf(kind).subject === subject && canBeListed(kind));
}

/** Whether sessions have to be listed to find these. */
export function areOfSessions(kinds: readonly string[]): boolean {
	return listed(kinds, 'session').length + listed(kinds, 'people').length > 0;
}

/** What the records of a list show to have happened, whenever that was. */
export function eventsIn(
	list: string,
	subject: Subject,
	records: readonly DeliveredRecord[],
	{ kinds, filters }: { kinds: readonly string[]; filters: Filters },
	session?: JsonObject,
): Happened[] {
	const wanted = listed(kinds, subject);
	return records.flatMap((record) =>
		wanted.flatMap((kind) => {
			const { when, comesLate } = kindOf(kind);
			const at = when?.(record, session ?? {});
			if (at === undefined || !passes({ kind, record }, filters)) return [];
			const titles = titlesOf({ attributes: session ?? record.attributes });
			return { kind, record, at, list, titles, isLate: comesLate?.(record) ?? false };
		}),
	);
}

export function listSessions(
	api: Ask,
	path: string,
	query: ApiRequest['query'],
): Promise<DeliveredRecord[]> {
	return listDelivered(api, path, { query: { ...query, ...withEvent }, onPage: eventTitles });
}

/** The people of a session, one request for each fifty; those that changed since then, or all. */
export async function readPeople(
	api: Ask,
	session: DeliveredRecord,
	{ since, limit }: { since?: number; limit?: number },
): Promise<DeliveredRecord[]> {
	const query = since === undefined ? undefined : updatedSince(since);
	const people = await listDelivered(api, peopleOf(session), { query, limit }).catch(unlessGone);
	return (people ?? []).map((person) => inSession(person, session.id));
}

/** Undefined where one list could not be read; it is told when that is so. */
export type Attempt = <T>(work: Promise<T>, onFailure?: () => void) => Promise<T | undefined>;

export function oldestFirst(events: readonly Happened[]): Happened[] {
	return [...events].sort((one, other) => one.at - other.at);
}

/** The kinds that may not have been delivered, each since that moment: milliseconds since 1970. */
export type Gap = Readonly<Record<string, number>>;

/** What happened in a gap: one request for each page of events, sessions, and people who changed. */
export async function findMissed(api: Ask, gap: Gap, filters: Filters): Promise<Happened[]> {
	const kinds = Object.keys(gap);
	const sinceOf = (kind: string) => Math.floor((gap[kind] ?? Infinity) / 1_000);
	const since = Math.min(...kinds.map(sinceOf));
	const look = { kinds, filters };
	const query = updatedSince(since);
	const ofPeople = listed(kinds, 'people');
	const found: Happened[] = [];
	if (listed(kinds, 'event').length > 0) {
		const events = await listDelivered(api, lists.events, { query });
		found.push(...eventsIn(lists.events, 'event', events, look));
	}
	// All of them for people: whether a registration changes the session's updated_at is not documented.
	const sessions = areOfSessions(kinds)
		? await listSessions(api, lists.sessions, ofPeople.length > 0 ? {} : query)
		: [];
	found.push(...eventsIn(lists.sessions, 'session', sessions, look));
	for (const session of ofPeople.length > 0 ? sessions : []) {
		const { attributes } = session;
		const hasEnded = Boolean(attributes.ended_at);
		if (hasEnded && !isSince(attributes, ['ended_at', 'updated_at'], since)) continue;
		if (!passesFor('session', session, filters)) continue;
		// The end of a session makes absentees of people whose records nobody touched.
		const isAttendance = ofPeople.some((kind) => kindOf(kind).isAttendance);
		const isWhole = isAttendance && isSince(attributes, ['ended_at'], since);
		const people = await readPeople(api, session, isWhole ? {} : { since });
		found.push(...eventsIn(peopleOf(session), 'people', people, look, attributes));
	}
	return oldestFirst(found.filter(({ kind, at }) => at >= sinceOf(kind)));
}

/** Whether one of these times is so late. */
export function isSince(attributes: JsonObject, times: readonly string[], since: number): boolean {
	return times.some((name) => (seconds(attributes[name]) ?? 0) >= since);
}

export function updatedSince(since: number): NonNullable<ApiRequest['query']> {
	return { 'filter[updated_since]': since };
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): undefined {
	if (error instanceof Failure && error.reason === 'not_found') return undefined;
	throw error;
}
