/**
 * One poll: what is new on the platform, and the cursor for the next one.
 *
 * 1. `sessionsInView.ts` lists the sessions, one request for each fifty.
 * 2. `people.ts` decides of which sessions the people are read, and which of them are new.
 * 3. `lists.ts` reads events out of lists. Here the oldest of what is new are taken.
 * 4. `cursor.ts` is what is remembered: how far each list was read, and keys of what would be found twice.
 *
 * What was missed while there was no subscription is found by the same poll, with a cursor that begins at the gap.
 */
import { meaningOf } from '../failures/causes';
import { asFailure, type Failure } from '../http/failure';
import type { Ask } from '../http/ports';
import { readQuota } from '../http/quota';
import {
	begin,
	day,
	overlap,
	readKeys,
	sinceOf,
	writeKeys,
	type Bookmark,
	type Cursor,
	type Moment,
	type Start,
	type Wanted,
} from './cursor';
import { seenKey } from './delivery';
import { passesFor } from './filters';
import { kindOf, subjects } from './kinds';
import {
	eventsIn,
	listed,
	lists,
	oldestFirst,
	peopleOf,
	readPeople,
	unlessGone,
	updatedSince,
	type Happened,
} from './lists';
import { newPeople, planRead, type ReadList } from './people';
import { listDelivered, readDelivered, type DeliveredRecord } from './record';
import { sessionsInView, type Attempt } from './sessionsInView';

export interface Poll {
	/** Oldest first. */
	news: Happened[];
	/** To be stored when `news` have started their run. */
	next: Cursor;
	/** Why some lists could not be read: they keep their bookmarks, and the others are told of. */
	failures: Failure[];
	/** Whether something from before is still to be told: what could not be read, was too much, or has not settled. */
	isOpen: boolean;
	/** The platform's time, in Unix seconds. */
	platformNow: number;
}

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

/** Whether every request would meet the same, and not only that of one list. */
function concernsAll(failure: Failure): boolean {
	const { ends, again, person } = meaningOf(failure);
	return ends === 'run' || (again === true && person === 'unsent');
}

export async function readNews(
	ask: Ask,
	former: Cursor | undefined,
	start: Start,
	wanted: Wanted,
	clock: () => number,
): Promise<Poll> {
	const { api, moment } = withPlatformClock(ask, clock, former?.polledAt);
	const failures: Failure[] = [];
	const attempt: Attempt = (work) =>
		work.catch((error: unknown) => {
			const failure = asFailure(error);
			if (concernsAll(failure)) throw failure;
			failures.push(failure);
			return undefined;
		});
	const begun = () => begin(former, start, wanted, moment());

	const view = await sessionsInView(api, attempt, former, wanted, moment().now);
	const events = await attempt(readEvents(api, wanted, sinceOf(begun(), lists.events)));
	// What was answered tells the platform's time.
	const cursor = begun();
	const { now, platformNow } = moment();
	const reads: ReadList[] = [];
	/** Not read, or not to the end. */
	const kept: Record<string, Bookmark> = {};

	const isTold = (event: Happened) =>
		wanted.wasDelivered?.(event) === true ||
		(cursor.told ?? []).some(([from, until]) => event.at >= from && event.at < until);
	const add = (list: string, found: Happened[] | undefined) => {
		if (found === undefined) {
			kept[list] = { ...(cursor.lists[list] ?? { readAt: cursor.polledAt }), isCut: true };
			return;
		}
		const bookmark = cursor.lists[list];
		const told = readKeys(bookmark?.seen);
		const since = sinceOf(cursor, list);
		const news = found.filter(
			(event) => event.at >= since && !isTold(event) && !told.has(seenKey(event)),
		);
		reads.push({ list, former: bookmark, found, news, next: { readAt: now } });
	};

	add(lists.events, events && eventsIn('event', events, wanted));
	add(lists.sessions, eventsIn('session', view.sessions, wanted));

	const ofPeople = listed(wanted.kinds, 'people');
	const sessions = ofPeople.length === 0 ? [] : view.sessions;
	const counted = sessions.filter((session) => passesFor('session', session, wanted.filters));
	const unseen = counted.filter((session) => !cursor.lists[peopleOf(session)]);
	cursor.hasNoTimes ??= await attempt(findOutTimes(api, unseen, ofPeople));
	for (const plan of planRead(counted, cursor, wanted.kinds, now)) {
		const { session, read, next } = plan;
		const list = peopleOf(session);
		if (read === undefined) {
			kept[list] = next;
			continue;
		}
		const since = read === 'all' ? undefined : sinceOf(cursor, list);
		const people = await attempt(readPeople(api, session, { since }));
		if (people === undefined) add(list, undefined);
		else {
			const found = eventsIn('people', people, wanted, session.attributes);
			reads.push(newPeople(found, plan, { cursor, now, isTold }));
		}
	}
	reads.push(await readJobs(api, attempt, wanted, cursor.lists[lists.jobs], now));

	const news = oldestFirst(reads.flatMap((read) => read.news)).slice(0, mostAtOnce);
	const taken = new Set(news);
	const next: Cursor = { ...cursor, polledAt: now, hasMore: false };
	next.lists = { ...goneOf(cursor, now), ...kept };
	for (const read of reads) {
		const left = read.news.filter((event) => !taken.has(event));
		next.lists[read.list] = after(read, left, cursor);
		next.hasMore ||= left.length > 0;
	}
	const unsettled = counted.filter((one) => next.lists[peopleOf(one)]?.hasSettled === false);
	if (view.next) {
		const open = new Set([...(view.next.open ?? []), ...unsettled.map(({ id }) => id)]);
		next.view = { ...view.next, open: [...open] };
	}
	const isOpen = next.hasMore === true || failures.length > 0 || unsettled.length > 0;
	return { news, next, failures, isOpen, platformNow };
}

/** What a list that leaves out a session for once has to be compared with when it is back. */
function goneOf(cursor: Cursor, now: number): Record<string, Bookmark> {
	const gone = Object.entries(cursor.lists)
		.map(([list, { goneAt = now, ...rest }]) => [list, { ...rest, goneAt, isCut: true }] as const)
		.filter(([, { goneAt }]) => now - goneAt < day);
	return Object.fromEntries(gone);
}

async function readEvents(api: Ask, { kinds }: Wanted, since: number): Promise<DeliveredRecord[]> {
	if (listed(kinds, 'event').length === 0) return [];
	return await listDelivered(api, lists.events, { query: updatedSince(Math.max(0, since)) });
}

/** Whether the platform does not tell when somebody registered. One request, once. */
async function findOutTimes(
	api: Ask,
	sessions: readonly DeliveredRecord[],
	kinds: readonly string[],
): Promise<boolean | undefined> {
	const comesLate = kinds
		.map(kindOf)
		.find((kind) => kind.comesLate !== undefined && !kind.isAttendance)?.comesLate;
	const session = sessions.find(({ attributes }) => attributes.registrants_count !== 0);
	if (comesLate === undefined || session === undefined) return undefined;
	const [person] = await readPeople(api, session, { limit: 1 });
	return person && comesLate(person);
}

/** How far a list was read when all but these of its news have started their run. */
function after({ former, found, next }: ReadList, left: Happened[], cursor: Cursor): Bookmark {
	const taken = new Set(found);
	for (const event of left) taken.delete(event);
	const seenBefore = (readAt: number) =>
		writeKeys(
			[...taken].filter(({ isLate, at }) => !isLate && at >= readAt - overlap).map(seenKey),
		);
	if (left.length === 0) return { ...next, seen: seenBefore(next.readAt) };
	// What is left is found again: by its time, or because its key is not among those that are known.
	const isTimed = left.every(({ isLate }) => !isLate);
	const oldReadAt = former?.readAt ?? cursor.polledAt;
	const readAt = Math.max(oldReadAt, isTimed ? Math.min(...left.map(({ at }) => at)) : 0);
	const known = readKeys(next.known);
	for (const event of left) known.delete(seenKey(event));
	const rest = { readAt, seen: seenBefore(readAt), known: writeKeys(known), isCut: true };
	return { ...former, isComplete: next.isComplete, ...rest };
}

/** Those of the named jobs that have ended and were not told of yet: one request for each that has not. */
export async function readJobs(
	api: Ask,
	attempt: Attempt,
	{ kinds, filters }: Pick<Wanted, 'kinds' | 'filters'>,
	former: Bookmark | undefined,
	now: number,
): Promise<ReadList> {
	const told = readKeys(former?.known);
	const known: string[] = [];
	const news: Happened[] = [];
	for (const kind of kinds.filter((one) => kindOf(one).isNamed)) {
		for (const id of new Set(filters.jobIds)) {
			const { type, path } = subjects.job;
			const named = { type, id, attributes: {}, relationships: {} };
			const key = seenKey({ kind, record: named });
			if (told.has(key)) {
				known.push(key);
				continue;
			}
			const answer = await attempt(api({ method: 'GET', path: path(named) }).catch(unlessGone));
			const record = readDelivered(answer?.body);
			if (record === undefined || !kindOf(kind).isBorneOut(record)) continue;
			news.push({ kind, record, at: now, isLate: true });
			known.push(key);
		}
	}
	const next = { readAt: now, known: writeKeys(known) };
	return { list: lists.jobs, former, found: news, news, next };
}

/** By so much the platform's clock may be ahead of ours, or else behind it. More is no time. */
const mostAheadMs = 3_600_000;
const mostBehindMs = 24 * mostAheadMs;

/**
 * The clock of the platform, as far as its answers tell. Either may be wrong. The later one would leave out
 * what happens until then, so that lists are read by the earlier one; and never back to before the last poll.
 */
function withPlatformClock(ask: Ask, clock: () => number, polledAt = 0) {
	let aheadMs = 0;
	const api: Ask = async (request) => {
		const answer = await ask(request);
		const { date = clock() } = readQuota(answer, clock());
		aheadMs = Math.max(-mostBehindMs, Math.min(date - clock(), mostAheadMs));
		return answer;
	};
	const moment = (): Moment => {
		const ours = Math.floor(clock() / 1_000);
		const platformNow = Math.floor((clock() + aheadMs) / 1_000);
		const atLeast = Math.min(polledAt, ours);
		return { now: Math.max(atLeast, Math.min(ours, platformNow)), platformNow };
	};
	return { api, moment };
}
