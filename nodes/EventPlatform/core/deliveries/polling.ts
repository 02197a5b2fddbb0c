import { readRecord } from '../http/jsonApi';
import { listRecords } from '../http/paginate';
import { pathTo } from '../http/path';
import type { Api, ApiRequest, JsonObject } from '../http/ports';
import { deliveryKey } from './deliveryKey';
import type { Filters } from './filters';
import { findHappened, peopleOf, unlessGone, wants, type Happened } from './happened';
import { kindOf } from './kinds';
import { readDelivered, type DeliveredRecord } from './record';

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
	const { kinds, filters } = wanted;
	const readAt = (list: string) => cursor.lists[list]?.readAt ?? cursor.polledAt;
	const since = (list: string) => Math.max(cursor.from, readAt(list) - overlap);
	const sessions = wantsSessions(kinds) ? await sessionsInView(api, wanted, cursor.polledAt) : [];
	const lists: Cursor['lists'] = {
		'/events': { readAt: now, seen: [] },
		'/sessions': { readAt: now, seen: [] },
	};
	const changed = new Set<string>();
	const over = new Set<string>();
	for (const session of sessions.flatMap((one) => readDelivered(one) ?? [])) {
		const list = peopleOf(session);
		if (session.attributes.ended_at) over.add(list);
		const former = cursor.lists[list];
		const mark = markOf(session);
		const isSame = mark !== undefined && mark === former?.mark;
		lists[list] = isSame ? former : { readAt: now, seen: [], mark };
		if (!isSame && session.attributes.registrants_count !== 0 && since(list) < now) {
			changed.add(session.id);
		}
	}
	const mayHaveNews = ({ id }: DeliveredRecord) => changed.has(id);
	const all = await findHappened(api, { kinds, filters, since, sessions, mayHaveNews });
	// Who came is told when the session is over: until then it has no time to know it by.
	const found = all.filter(({ kind, list }) => kind !== 'people.attended' || over.has(list));
	for (const event of found) {
		if (event.at >= now - overlap) lists[event.list]?.seen.push(deliveryKey(event));
	}
	const isNews = (event: Happened) => !cursor.lists[event.list]?.seen.includes(deliveryKey(event));
	const ended = kinds.includes('job.ended') ? await endedJobs(api, filters, cursor, now) : [];
	const seen = [...(cursor.lists[jobs]?.seen ?? []), ...ended.map(deliveryKey)];
	lists[jobs] = { readAt: now, seen };
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
	const { kinds, filters } = wanted;
	const nothing: Cursor = { from: 0, polledAt: now, lists: {} };
	const ended = kinds.includes('job.ended') ? await endedJobs(api, filters, nothing, now) : [];
	if (ended.length > 0) return ended.at(-1);
	const view = { ...wanted, endedWithinDays: Math.max(30, wanted.endedWithinDays) };
	const sessions = wantsSessions(kinds) ? await sessionsInView(api, view, now) : [];
	const updatedAt = ({ attributes }: DeliveredRecord) => Number(attributes.updated_at);
	const latest = sessions
		.flatMap((session) => readDelivered(session) ?? [])
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((one, other) => updatedAt(other) - updatedAt(one))
		.slice(0, 3)
		.map(({ id }) => id);
	for (const age of [3_600, day, 30 * day, now]) {
		const found = await findHappened(api, {
			kinds,
			filters,
			since: () => now - age,
			sessions,
			mayHaveNews: ({ id }) => latest.includes(id),
			limit: 50,
		});
		if (found.length > 0) return found.at(-1);
	}
	return undefined;
}

function wantsSessions(kinds: readonly string[]): boolean {
	return wants(kinds, 'session') || wants(kinds, 'people');
}

/** One request for each fifty: those to come, those in progress, and those that ended lately. */
async function sessionsInView(
	api: Api,
	{ filters: { sessionId, eventId }, endedWithinDays }: Wanted,
	/** So that none is overlooked that ended while nobody polled. */
	polledAt: number,
): Promise<JsonObject[]> {
	if (sessionId !== '') {
		const request: ApiRequest = { method: 'GET', path: pathTo`/sessions/${sessionId}` };
		return [readRecord(request, await api(request))];
	}
	const oldest = polledAt - endedWithinDays * day;
	const path = eventId === '' ? '/sessions' : pathTo`/events/${eventId}/sessions`;
	// By the planned start, a day before the earliest end: the platform has no filter for the end.
	const query = { 'filter[date_from]': Math.max(0, Math.floor(oldest) - day) };
	return (await listRecords(api, path, { query })).filter((session) => isInView(session, oldest));
}

function isInView(session: JsonObject, oldest: number): boolean {
	const { status, ended_at, created_at } = readDelivered(session)?.attributes ?? {};
	if (status === 'upcoming' || status === 'live') return true;
	return [ended_at, created_at].some((at) => typeof at === 'number' && at >= oldest);
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
	{ jobIds }: Filters,
	cursor: Cursor,
	now: number,
): Promise<Happened[]> {
	const kind = 'job.ended';
	const ended: Happened[] = [];
	for (const id of new Set(jobIds)) {
		const named = { kind, record: { type: 'jobs', id, attributes: {}, relationships: {} } };
		if (cursor.lists[jobs]?.seen.includes(deliveryKey(named))) continue;
		const answer = await api({ method: 'GET', path: pathTo`/jobs/${id}` }).catch(unlessGone);
		const record = readDelivered(answer?.body);
		if (record !== undefined && kindOf(kind).isBorneOut(record)) {
			ended.push({ kind, record, at: now, list: jobs });
		}
	}
	return ended;
}
