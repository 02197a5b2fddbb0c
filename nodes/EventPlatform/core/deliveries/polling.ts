import { asFailure, type Cause, type Failure } from '../http/failure';
import { pathTo } from '../http/path';
import type { Ask } from '../http/ports';
import { readQuota } from '../http/quota';
import {
	begin,
	day,
	dropOld,
	freshFor,
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
import {
	eventsIn,
	listed,
	lists,
	oldestFirst,
	peopleOf,
	readPeople,
	unlessGone,
	updatedSince,
	type Attempt,
	type Happened,
} from './happened';
import { kindOf } from './kinds';
import { isTold, newPeople, planRead, type ReadList } from './peopleToRead';
import { listDelivered, readDelivered, type DeliveredRecord } from './record';
import { sessionsInView } from './sessionsInView';

/**
 * One poll: what is new, and the cursor for the next one.
 *
 * 1. `sessionsInView.ts` lists the sessions, one request for each fifty.
 * 2. `peopleToRead.ts` decides of which sessions the people are read, and which of them are new.
 * 3. Here the lists are read, and the oldest events are taken.
 * 4. `cursor.ts` is what is remembered: how far each list was read, and keys of what would be found twice.
 *
 * All times are Unix seconds by the platform's clock, which its answers tell: ours may be wrong.
 */
export interface Poll {
	/** Oldest first. */
	news: Happened[];
	/** To be stored when `news` have started their run. */
	next: Cursor;
	/** Why some lists could not be read: they keep their bookmarks, and the others are told of. */
	failures: Failure[];
}

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

/** These concern one list. Any other failure would meet every request. */
const ofOneList: readonly Cause[] = [
	...(['platform_error', 'unconfirmed', 'not_json', 'unexpected_shape'] as const),
	...(['refused', 'unprocessable', 'forbidden', 'page_out_of_range'] as const),
];

export async function readNews(
	ask: Ask,
	former: Cursor | undefined,
	start: Start,
	wanted: Wanted,
	clock: () => number,
): Promise<Poll> {
	const { api, moment } = withPlatformClock(ask, clock);
	const failures: Failure[] = [];
	const attempt: Attempt = async (work, onFailure) => {
		try {
			return await work;
		} catch (error) {
			const failure = asFailure(error);
			if (!ofOneList.includes(failure.reason)) throw failure;
			failures.push(failure);
			onFailure?.();
			return undefined;
		}
	};

	const view = await sessionsInView(api, attempt, former, wanted, moment(former).now);
	const since = sinceOf(begin(former, start, wanted, moment(former)), lists.events);
	const events = await attempt(readEvents(api, wanted, since));
	const { now, activatedAt } = moment(former);
	const cursor = begin(former, start, wanted, { now, activatedAt });
	const reads: ReadList[] = [];
	/** Not read, or not to the end. */
	const kept: Record<string, Bookmark> = {};

	function add(list: string, found: Happened[]): void {
		const bookmark = cursor.lists[list];
		const told = readKeys(bookmark?.seen, bookmark?.fresh);
		const news = found.filter(
			(event) =>
				event.at >= sinceOf(cursor, list) && !isTold(cursor, event) && !told.has(seenKey(event)),
		);
		reads.push({ list, former: bookmark, found, news, next: { readAt: now } });
	}

	if (events === undefined) kept[lists.events] = unread(cursor, lists.events);
	else add(lists.events, eventsIn(lists.events, 'event', events, wanted));
	add(lists.sessions, eventsIn(lists.sessions, 'session', view.sessions, wanted));

	const ofPeople = listed(wanted.kinds, 'people');
	const sessions = ofPeople.length === 0 ? [] : view.sessions;
	const counted = sessions.filter((session) => passesFor('session', session, wanted.filters));
	const unseen = counted.filter((session) => !cursor.lists[peopleOf(session)]);
	cursor.hasNoTimes ??= await attempt(findOutTimes(api, unseen, ofPeople));
	for (const { session, plan, bookmark } of planRead(counted, cursor, wanted.kinds, now)) {
		const list = peopleOf(session);
		if (plan === undefined) {
			kept[list] = dropOld(bookmark, now);
			continue;
		}
		const people = await attempt(
			readPeople(api, session, plan.isWhole ? {} : { since: sinceOf(cursor, list) }),
		);
		if (people === undefined) {
			kept[list] = unread(cursor, list);
			continue;
		}
		const found = eventsIn(list, 'people', people, wanted, session.attributes);
		reads.push(newPeople(found, { list, session, plan, bookmark, cursor, now }));
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
	return { news, next, failures };
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
	const isLeft = new Set(left);
	const taken = found.filter((event) => !isLeft.has(event));
	// What is left is found again: by its time, or because its keys are not among those that are known.
	const isTimed = left.every(({ isLate }) => !isLate);
	const oldReadAt = former?.readAt ?? cursor.polledAt;
	const readAt =
		left.length === 0
			? next.readAt
			: Math.max(oldReadAt, isTimed ? Math.min(...left.map(({ at }) => at)) : 0);
	const timed = taken.filter(({ isLate }) => !isLate);
	const keys = (from: number, to = Infinity) =>
		writeKeys(timed.filter(({ at }) => at >= from && at < to).map(seenKey));
	const seen = {
		seen: keys(readAt - overlap, readAt - freshFor),
		fresh: keys(readAt - freshFor),
	};
	if (left.length === 0) return { ...next, ...seen };
	const known = readKeys(next.known);
	for (const event of left) known.delete(seenKey(event));
	const rest = { readAt, ...seen, known: writeKeys(known), isCut: true };
	return { ...former, isComplete: next.isComplete, ...rest };
}

function unread(cursor: Cursor, list: string): Bookmark {
	return { ...(cursor.lists[list] ?? { readAt: cursor.polledAt }), isCut: true };
}

/** Those of the named jobs that have ended and were not told of yet: one request for each that has not. */
export async function readJobs(
	api: Ask,
	attempt: Attempt,
	{ kinds, filters }: Wanted,
	former: Bookmark | undefined,
	now: number,
): Promise<ReadList> {
	const told = readKeys(former?.known);
	const found: Happened[] = [];
	const keys: string[] = [];
	for (const kind of kinds.filter((one) => kindOf(one).isNamed)) {
		for (const id of new Set(filters.jobIds)) {
			const named = { kind, record: { type: 'jobs', id, attributes: {}, relationships: {} } };
			const key = seenKey(named);
			if (told.has(key)) {
				keys.push(key);
				continue;
			}
			const answer = await attempt(
				api({ method: 'GET', path: pathTo`/jobs/${id}` }).catch(unlessGone),
			);
			const record = readDelivered(answer?.body);
			if (record !== undefined && kindOf(kind).isBorneOut(record)) {
				found.push({ kind, record, at: now, list: lists.jobs, isLate: true });
			}
		}
	}
	const known = writeKeys([...keys, ...found.map(seenKey)]);
	return { list: lists.jobs, former, found, news: found, next: { readAt: now, known } };
}

/** By so much the platform's clock may be ahead of ours, or else behind it. More is no time. */
const mostAheadMs = 3_600_000;
const mostBehindMs = 24 * mostAheadMs;

/**
 * The clock of the platform, as far as its answers tell. Either may be wrong. The later one would leave out
 * what happens until then, so that lists are read by the earlier one; and never back to before the last poll.
 */
function withPlatformClock(ask: Ask, clock: () => number) {
	let aheadMs = 0;
	const api: Ask = async (request) => {
		const answer = await ask(request);
		const { date = clock() } = readQuota(answer, clock());
		aheadMs = Math.max(-mostBehindMs, Math.min(date - clock(), mostAheadMs));
		return answer;
	};
	const moment = (former: Cursor | undefined): Moment => {
		const ours = Math.floor(clock() / 1_000);
		const activatedAt = Math.floor((clock() + aheadMs) / 1_000);
		const atLeast = Math.min(former?.polledAt ?? 0, ours);
		return { now: Math.max(atLeast, Math.min(ours, activatedAt)), activatedAt };
	};
	return { api, moment };
}
