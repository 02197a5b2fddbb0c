import { readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { Api, ApiRequest } from '../http/ports';
import { deliveryKey } from './delivery';
import { text } from '../http/text';
import type { Filters } from './filters';
import {
	areOfSessions,
	findHappened,
	isSince,
	peopleOf,
	unlessGone,
	type Happened,
} from './happened';
import { kindOf } from './kinds';
import { listDelivered, readDelivered, type DeliveredRecord } from './record';

/** How far a list was read. */
interface Bookmark {
	/** When it was read, in Unix seconds. */
	readAt: number;
	/** Of what may be found again when it is read from then on. */
	seen: string[];
	/** What the session showed then of its people. */
	mark?: string;
}

/** What is known from one poll to the next. Of one trigger; plain data, to be stored. */
export interface Cursor {
	/** Nothing from before this starts a run. Unix seconds, as all times here. */
	from: number;
	polledAt: number;
	/** By path. */
	lists: Record<string, Bookmark>;
}

export interface Wanted {
	kinds: readonly string[];
	filters: Filters;
	/** How long the people of a session are looked at after its end. */
	endedWithinDays: number;
}

const day = 86_400;

/** What clocks may differ by, and how late a record may show up in its list. */
const overlap = 600;

const jobs = '/jobs';

/** Where a trigger begins: at its activation, unless another time was asked for; or where it was before. */
export function begin(
	former: Cursor | undefined,
	{ isNew, startFrom, now }: { isNew: boolean; startFrom?: number; now: number },
): Cursor {
	if (former !== undefined && (!isNew || former.from === startFrom)) return former;
	const from = startFrom ?? now;
	// A job has no time, and one that has ended stays so.
	const told = former?.lists[jobs];
	return { from, polledAt: from, lists: told === undefined ? {} : { [jobs]: told } };
}

/**
 * What no poll has found before, oldest first, and the cursor for when all of it has started its run.
 * Only those sessions are read whose counts or times have changed.
 */
export async function readNews(
	api: Api,
	cursor: Cursor,
	wanted: Wanted,
	now: number,
): Promise<{ news: Happened[]; next: Cursor }> {
	const readAt = (list: string) => cursor.lists[list]?.readAt ?? cursor.polledAt;
	const since = (list: string) => Math.max(cursor.from, readAt(list) - overlap);
	const lists: Cursor['lists'] = {
		'/events': { readAt: now, seen: [] },
		'/sessions': { readAt: now, seen: [] },
	};
	const mayHaveNews = (session: DeliveredRecord) => {
		const list = peopleOf(session);
		const former = cursor.lists[list];
		const mark = markOf(session);
		const isSame = mark !== undefined && mark === former?.mark;
		lists[list] = isSame ? former : { readAt: now, seen: [], mark };
		return !isSame && session.attributes.registrants_count !== 0 && since(list) < now;
	};
	const sessions = await sessionsInView(api, wanted, cursor.polledAt);
	const all = await findHappened(api, { ...wanted, since, sessions, mayHaveNews });
	// Who came is told when the session is over: until then it has no time to know it by.
	const found = all.filter(({ kind, session }) => kind !== 'people.attended' || session?.ended_at);
	for (const event of found) {
		if (event.at >= now - overlap) lists[event.list]?.seen.push(deliveryKey(event));
	}
	const isNews = (event: Happened) => !cursor.lists[event.list]?.seen.includes(deliveryKey(event));
	const told = cursor.lists[jobs]?.seen ?? [];
	const ended = await endedJobs(api, wanted, told, now);
	lists[jobs] = { readAt: now, seen: [...told, ...ended.map(deliveryKey)] };
	return { news: [...found.filter(isNews), ...ended], next: { ...cursor, polledAt: now, lists } };
}

/** Notes that an event is about to start its run, should the process end before the next one does. */
export function note(cursor: Cursor, event: Happened): void {
	cursor.lists[event.list] ??= { readAt: cursor.polledAt, seen: [] };
	cursor.lists[event.list]?.seen.push(deliveryKey(event));
}

/** The latest of what there is, whenever it happened: for a test, so that few requests are enough. */
export async function findLatest(
	api: Api,
	wanted: Wanted,
	now: number,
): Promise<Happened | undefined> {
	const ended = await endedJobs(api, wanted, [], now);
	if (ended.length > 0) return ended.at(-1);
	const view = { ...wanted, endedWithinDays: Math.max(30, wanted.endedWithinDays) };
	const sessions = await sessionsInView(api, view, now);
	const updatedAt = ({ attributes }: DeliveredRecord) => Number(attributes.updated_at);
	const latest = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((one, other) => updatedAt(other) - updatedAt(one))
		.slice(0, 3);
	const mayHaveNews = (session: DeliveredRecord) => latest.includes(session);
	for (const age of [3_600, day, 30 * day, now]) {
		const since = () => now - age;
		const look = { ...wanted, since, sessions, mayHaveNews, limit: 50 };
		const found = await findHappened(api, look);
		if (found.length > 0) return found.at(-1);
	}
	return undefined;
}

/** One request for each fifty: those to come, those in progress, and those that ended lately. */
async function sessionsInView(
	api: Api,
	{ kinds, filters: { sessionId, eventId }, endedWithinDays }: Wanted,
	/** So that none is overlooked that ended while nobody polled. */
	polledAt: number,
): Promise<DeliveredRecord[]> {
	if (!areOfSessions(kinds)) return [];
	if (sessionId !== '') {
		const request: ApiRequest = { method: 'GET', path: pathTo`/sessions/${sessionId}` };
		const session = readDelivered(readRecord(request, await api(request)));
		return session === undefined ? [] : [session];
	}
	const oldest = polledAt - endedWithinDays * day;
	const path = eventId === '' ? '/sessions' : pathTo`/events/${eventId}/sessions`;
	// By the planned start, a day before the earliest end: the platform has no filter for the end.
	const query = { 'filter[date_from]': Math.max(0, Math.floor(oldest) - day) };
	const sessions = await listDelivered(api, path, { query });
	return sessions.filter(
		({ attributes }) =>
			['upcoming', 'live'].includes(text(attributes.status)) ||
			isSince(attributes, ['ended_at', 'created_at'], oldest),
	);
}

/** Undefined where the platform does not count: then its people are read each time. */
function markOf({ attributes }: DeliveredRecord): string | undefined {
	const { registrants_count, attendees_count, updated_at, started_at, ended_at } = attributes;
	if (typeof registrants_count !== 'number') return undefined;
	return JSON.stringify([registrants_count, attendees_count, updated_at, started_at, ended_at]);
}

/** Those of the named jobs that have ended and were not told of yet: one request for each that has not. */
async function endedJobs(
	api: Api,
	{ kinds, filters }: Wanted,
	told: readonly string[],
	now: number,
): Promise<Happened[]> {
	const kind = 'job.ended';
	const ended: Happened[] = [];
	for (const id of kinds.includes(kind) ? new Set(filters.jobIds) : []) {
		const named = { kind, record: { type: 'jobs', id, attributes: {}, relationships: {} } };
		if (told.includes(deliveryKey(named))) continue;
		const answer = await api({ method: 'GET', path: pathTo`/jobs/${id}` }).catch(unlessGone);
		const record = readDelivered(answer?.body);
		if (record !== undefined && kindOf(kind).isBorneOut(record)) {
			ended.push({ kind, record, at: now, list: jobs });
		}
	}
	return ended;
}
