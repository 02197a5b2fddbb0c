/**
 * One poll: what is new on the platform, and the cursor for the next one.
 *
 * 1. `sessionsInView.ts` lists the sessions, one request for each fifty.
 * 2. `people.ts` decides of which sessions the people are read.
 * 3. `lists.ts` reads events out of lists. Here it is found out which are new, and the oldest are taken.
 * 4. `cursor.ts` is what is remembered: how far each list was read, and keys of what would be found twice.
 *
 * What was missed while there was no subscription is found by the same poll, with a cursor that begins at the gap.
 */
import { meaningOf } from '../failures/causes';
import { asFailure, type Failure } from '../http/failure';
import { asSpelled } from '../http/path';
import type { Ask } from '../http/ports';
import { readQuota } from '../http/quota';
import {
	begin,
	goneFrom,
	overlap,
	readKeys,
	sinceOf,
	writeKeys,
	type Bookmark,
	type Cursor,
	type Moment,
	type Wanted,
} from './cursor';
import { seenKey } from './delivery';
import { kindOf, subjects } from './kinds';
import {
	eventsIn,
	listed,
	lists,
	peopleOf,
	readEvents,
	readPeople,
	unlessGone,
	type Happened,
} from './lists';
import { planLooks, type Look } from './people';
import { readDelivered, seconds, type DeliveredRecord } from './record';
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

/** A list that was read. */
interface ReadList {
	list: string;
	/** All that it shows. */
	found: Happened[];
	/** What of it was not told yet. */
	news: Happened[];
	/** For when all news are taken. */
	next: Bookmark;
}

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

export async function readNews(
	ask: Ask,
	former: Cursor | undefined,
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
	const begun = () => begin(former, wanted, moment());

	const view = await sessionsInView(api, attempt, former, wanted, moment().now);
	const since = Math.max(0, sinceOf(begun(), lists.events));
	const events = await attempt(readEvents(api, wanted.kinds, since));
	// What was answered tells the platform's time.
	const cursor = begun();
	const { now, platformNow } = moment();
	const isTold = (event: Happened) =>
		wanted.wasDelivered?.(event) === true ||
		(cursor.told ?? []).some(([from, until]) => event.at >= from && event.at < until);

	const next: Cursor = { ...cursor, polledAt: now, hasMore: false, lists: goneFrom(cursor, now) };
	const reads: ReadList[] = [];
	const add = (list: string, found: Happened[] | undefined, look?: Look) => {
		if (found) reads.push(readFrom(list, found, look, cursor, now, isTold));
		else next.lists[list] = { readAt: cursor.polledAt, ...cursor.lists[list], isCut: true };
	};
	add(lists.events, events && eventsIn('event', events, wanted));
	add(lists.sessions, eventsIn('session', view.sessions, wanted));

	const ofPeople = listed(wanted.kinds, 'people');
	const sessions = ofPeople.length === 0 ? [] : view.sessions;
	const looked = sessions.filter((session) => subjects.session.passes(session, wanted.filters));
	const unseen = looked.filter((session) => !cursor.lists[peopleOf(session)]);
	cursor.hasNoTimes ??= await attempt(findOutTimes(api, unseen, ofPeople));
	next.hasNoTimes = cursor.hasNoTimes;
	for (const look of planLooks(looked, cursor, wanted.kinds, now)) {
		const { session, read } = look;
		const list = peopleOf(session);
		if (read === undefined) {
			next.lists[list] = look.next;
			continue;
		}
		const since = read === 'all' ? undefined : sinceOf(cursor, list);
		const people = await attempt(readPeople(api, session, { since }));
		add(list, people && eventsIn('people', people, wanted, session.attributes), look);
	}
	const known = cursor.lists[lists.jobs]?.known;
	add(lists.jobs, await readJobs(api, attempt, wanted, known, Math.max(now, cursor.from)));

	const all = reads.flatMap((read) => read.news);
	const news = all.sort((one, other) => one.at - other.at).slice(0, mostAtOnce);
	const taken = new Set(news);
	for (const read of reads) {
		const left = read.news.filter((event) => !taken.has(event));
		next.lists[read.list] = after(read, left, cursor);
		next.hasMore ||= left.length > 0;
	}
	const unsettled = looked.filter((one) => next.lists[peopleOf(one)]?.hasSettled === false);
	if (view.next) {
		const open = new Set([...(view.next.open ?? []), ...unsettled.map(({ id }) => id)]);
		next.view = { ...view.next, open: [...open] };
	}
	const isOpen = next.hasMore === true || failures.length > 0 || unsettled.length > 0;
	return { news, next, failures, isOpen, platformNow };
}

/** Whether every request would meet the same, and not only that of one list. */
function concernsAll(failure: Failure): boolean {
	const { ends, again, person } = meaningOf(failure);
	return ends === 'run' || (again === true && person === 'unsent');
}

/** Whether the platform does not tell when somebody registered. One request, once. */
async function findOutTimes(
	api: Ask,
	sessions: readonly DeliveredRecord[],
	kinds: readonly string[],
): Promise<boolean | undefined> {
	const { comesLate } = kinds.map(kindOf).find((kind) => kind.comesLate && !kind.attendance) ?? {};
	const session = sessions.find(({ attributes }) => attributes.registrants_count !== 0);
	if (comesLate === undefined || session === undefined) return undefined;
	const [person] = await readPeople(api, session, { limit: 1 });
	return person && comesLate(person);
}

/** What of a list was not told yet. */
function readFrom(
	list: string,
	found: Happened[],
	look: Look | undefined,
	cursor: Cursor,
	now: number,
	isTold: (event: Happened) => boolean,
): ReadList {
	const former = cursor.lists[list];
	const told = readKeys(former?.seen, former?.known);
	const since = sinceOf(cursor, list);
	const createdAt = seconds(look?.session.attributes.created_at) ?? 0;
	const wasSeen = former?.isComplete === true || createdAt >= cursor.from;
	const attendanceOf = ({ kind }: Happened) => kindOf(kind).attendance;
	const timely = found.filter((event) => {
		if (told.has(seenKey(event)) || isTold(event)) return false;
		if (!event.isLate) return event.at >= since;
		return event.at >= cursor.from || (wasSeen && !attendanceOf(event));
	});
	// While more and more people turn out to have attended, nobody is absent yet.
	const isStillChanging =
		look?.isSecond === true && timely.some((event) => attendanceOf(event) === 'came');
	const hasSettled = look?.next.hasSettled && !isStillChanging;
	const isCertain = (event: Happened) => hasSettled || attendanceOf(event) !== 'stayed away';
	const news = timely.filter(isCertain);
	const late = found.filter((event) => event.isLate && isCertain(event));
	const next: Bookmark = {
		...{ ...look?.next, readAt: now },
		known: writeKeys([...readKeys(former?.known), ...late.map(seenKey)]),
	};
	if (look) {
		const joined = news.filter((event) => !attendanceOf(event)).length;
		next.owed = Math.max(0, (next.owed ?? 0) - joined);
		next.isComplete ||= look.read === 'all' && cursor.hasNoTimes === true;
		next.hasSettled = hasSettled;
		if (isStillChanging) next.changedAt = now;
	}
	return { list, found, news, next };
}

/** How far a list was read when all but these of its news have started their run. */
function after({ list, found, next }: ReadList, left: Happened[], cursor: Cursor): Bookmark {
	const taken = new Set(found);
	for (const event of left) taken.delete(event);
	const isTimed = ({ isLate }: Happened) => !isLate;
	const seenBefore = (readAt: number) =>
		writeKeys([...taken].filter((one) => isTimed(one) && one.at >= readAt - overlap).map(seenKey));
	if (left.length === 0) return { ...next, seen: seenBefore(next.readAt) };
	// What is left is found again: by its time, or because its key is not among those that are known.
	const former = cursor.lists[list];
	const oldest = left.every(isTimed) ? Math.min(...left.map(({ at }) => at)) : 0;
	const readAt = Math.max(former?.readAt ?? cursor.polledAt, oldest);
	const known = readKeys(next.known);
	for (const event of left) known.delete(seenKey(event));
	const rest = { readAt, seen: seenBefore(readAt), known: writeKeys(known), isCut: true };
	return { ...former, isComplete: next.isComplete, ...rest };
}

/** Those of the named jobs that have ended and are not known: one request for each that is not. */
export async function readJobs(
	api: Ask,
	attempt: Attempt,
	{ kinds, filters }: Pick<Wanted, 'kinds' | 'filters'>,
	known: string | undefined,
	at: number,
): Promise<Happened[]> {
	const told = readKeys(known);
	const ended: Happened[] = [];
	for (const kind of kinds.filter((one) => kindOf(one).isNamed)) {
		const { type, path } = subjects.job;
		for (const id of new Set(filters.jobIds)) {
			const named = { type, id: asSpelled(id), attributes: {}, relationships: {} };
			if (told.has(seenKey({ kind, record: named }))) continue;
			const answer = await attempt(api({ method: 'GET', path: path(named) }).catch(unlessGone));
			const record = readDelivered(answer?.body);
			if (record === undefined || !kindOf(kind).isBorneOut(record)) continue;
			ended.push({ kind, record: { ...record, id: named.id }, at, isLate: true });
		}
	}
	return ended;
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
