/*
 * How polling remembers what has started a run, and when it forgets. Nothing is forgotten anywhere else.
 *
 *   events, sessions       a key is forgotten when the bookmark has moved past the time of its event: moveBookmark
 *   people                 the same for registrations that have a time; the other keys are forgotten with the session, when it
 *                          was not listed for a day: hidePeople
 *   recordings, questions  a key is forgotten when its list was not read for a day, the time of the last read is not: forgetContents
 *   jobs                   a key is never forgotten, because a job has no time and stays ended: rememberJobs
 *   events, sessions       the whole bookmark is forgotten when no event type of theirs is chosen any more: moveCursor
 *   all but jobs           everything is forgotten when polling begins anew: beginCursor in cursor.ts
 *   all                    a part that does not fit, because another version has stored it, is left out: triggers/storage.ts
 *
 * What is remembered stands in cursor.ts, with how it begins.
 */
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { keepLatest } from '../values/collections';
import { hasHappenedSince, listableTypes, type ListedEvent } from '../events/eventTypes';
import { keysOfContents, type PolledContents } from './contents';
import {
	changedSince,
	daySeconds,
	eventsBookmarkOf,
	lastTriedAt,
	mostListedLateSeconds,
	sessionsBookmarkOf,
	startedPeopleOf,
	viewOf,
	type ContentBookmark,
	type Cursor,
	type DuePeople,
	type EventsBookmark,
	type HiddenPeople,
	type PeopleBookmark,
	type ReadPeople,
	type RestOfPeople,
	type TimedBookmark,
} from './cursor';
import type { PolledPeople } from './people';
import type { PeoplePlan } from './peoplePlan';
import type { PolledList, Round } from './round';
import type { SessionsInView } from './sessions';

/** So many lists of recordings and questions are remembered, which is about 100 kB. Those that were read longest ago are forgotten first. */
const mostContentLists = 1_000;

/** All lists that a poll has read. */
export interface PolledLists {
	/** The sessions that the poll looks at. Absent: the sessions could not be listed. */
	inView?: SessionsInView;
	/** The events of the workspace. Absent: their list could not be read. */
	events?: PolledList;
	/** The events that the list of sessions shows. Absent: the sessions could not be listed. */
	sessions?: PolledList;
	/** The ended jobs. */
	jobs: ListedEvent[];
	/** The recordings and questions of sessions. */
	contents: PolledContents[];
	/** The plans for the people of the sessions. */
	plans: PeoplePlan[];
	/** The people who were read, by the ids of their sessions. */
	people: ReadonlyMap<string, PolledPeople>;
	/** The times when reading people was given up because the time of the poll was over, by the ids of their sessions. */
	givenUpAt: ReadonlyMap<string, number>;
}

/** Gives the cursor when all events but those that are left over have started a run. */
export function moveCursor(
	round: Round,
	lists: PolledLists,
	leftOver: ReadonlySet<ListedEvent>,
): Cursor {
	const { cursor, search, nowSeconds } = round;
	const { inView, events, sessions, jobs } = lists;
	const withoutLeftOver = (listed: ListedEvent[] = []) =>
		listed.filter((event) => !leftOver.has(event));
	const isSearched = (recordType: string) =>
		listableTypes(search.eventTypes, recordType).length > 0;
	// A session that only the list of all sessions shows is seen up to a day late.
	const reach = { nowSeconds, notBeyondAt: viewOf(cursor, search)?.listedAt };
	const next: Cursor = {
		...cursor,
		events: isSearched('events')
			? moveEvents(round, withoutLeftOver(events?.listed), events)
			: undefined,
		sessions: isSearched('sessions')
			? moveBookmark(sessionsBookmarkOf(cursor, search), withoutLeftOver(sessions?.listed), reach)
			: undefined,
		contents: moveAllContents(round, lists.contents, leftOver),
		jobs: rememberJobs(cursor.jobs, withoutLeftOver(jobs)),
		hasMore: leftOver.size > 0,
	};
	if (inView === undefined) return next;
	const people = moveAllPeople(round, lists, leftOver);
	const hasMore = leftOver.size > 0 || hasRest(lists.people);
	return { ...next, people, polledAt: nowSeconds, view: inView.view, hasMore };
}

/** Gives the bookmark of the events of the workspace when these events have started a run. */
function moveEvents(
	{ cursor, nowSeconds }: Round,
	started: ListedEvent[],
	list: PolledList | undefined,
): EventsBookmark {
	const bookmark = eventsBookmarkOf(cursor);
	const listedSinceAt = changedSince(bookmark.sinceAt, bookmark.readAt);
	const moved = moveBookmark(bookmark, started, { nowSeconds, listedSinceAt });
	const isWhole = list !== undefined && started.length === list.listed.length;
	return { ...moved, readAt: isWhole ? nowSeconds : bookmark.readAt };
}

/** The bounds within which a bookmark moves. */
interface Reach {
	/** The time by the platform's clock. No record tells of anything later. */
	nowSeconds: number;
	/** The time beyond which the bookmark does not move, because some records are listed late. Absent: `now`. */
	notBeyondAt?: number;
	/** The time since which the listed records have changed. Absent: all records were listed. */
	listedSinceAt?: number;
}

/**
 * Moves a bookmark when these events have started a run. It moves by the times of the records alone, so that a wrong clock
 * leaves nothing out.
 */
export function moveBookmark(
	bookmark: TimedBookmark,
	started: readonly ListedEvent[],
	{ nowSeconds, notBeyondAt = nowSeconds, listedSinceAt }: Reach,
): TimedBookmark {
	// A bookmark at a time to come would leave out all that happens until then.
	const times = started.flatMap(({ happenedAtSeconds }) => happenedAtSeconds ?? []);
	const pastTimes = times.filter((time) => time <= nowSeconds);
	const latestAt = pastTimes.reduce((latest, time) => Math.max(latest, time), bookmark.sinceAt);
	const sinceAt = Math.max(
		bookmark.sinceAt,
		Math.min(latestAt, notBeyondAt) - mostListedLateSeconds,
	);
	const startedKeys = started.filter((event) => hasHappenedSince(event, sinceAt)).map(seenKey);
	// An event that was not listed this time may still have happened after `sinceAt`.
	const isPartial = listedSinceAt !== undefined && listedSinceAt > sinceAt;
	const mayShowMore = sinceAt === bookmark.sinceAt || isPartial;
	return {
		sinceAt,
		seen: writeKeys([...(mayShowMore ? readKeys(bookmark.seen) : []), ...startedKeys]),
	};
}

/** Gives the bookmarks of the people of all sessions when all events but those that are left over have started a run. */
function moveAllPeople(
	{ cursor, nowSeconds }: Round,
	{ plans, people, givenUpAt }: PolledLists,
	leftOver: ReadonlySet<ListedEvent>,
): Cursor['people'] {
	const next: Cursor['people'] = {};
	for (const [id, bookmark] of Object.entries(cursor.people)) {
		const hidden = hidePeople(bookmark, nowSeconds);
		if (hidden) next[id] = hidden;
	}
	for (const plan of plans) {
		const { id } = plan.session;
		const polled = people.get(id);
		if (polled) next[id] = movePeople(polled, leftOver, nowSeconds);
		else if (plan.reads === 'none') next[id] = plan.next;
		else next[id] = postponePeople(plan.bookmark, givenUpAt.get(id));
	}
	return next;
}

/** Whether the poll could not read all people of a session, and has come further with them. */
function hasRest(people: ReadonlyMap<string, PolledPeople>): boolean {
	return [...people.values()].some(({ restPage }) => restPage !== undefined);
}

/** Gives the bookmark of the people of a session when all events but those that are left over have started a run. */
function movePeople(
	polled: PolledPeople,
	leftOver: ReadonlySet<ListedEvent>,
	nowSeconds: number,
): PeopleBookmark {
	const { plan, listed, next, restPage } = polled;
	const started = listed.filter((event) => !leftOver.has(event));
	const timed = started.filter(({ isUntimed }) => !isUntimed);
	const untimedKeys = started.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const isPart = plan.firstPage > 0 || restPage !== undefined;
	const keys = {
		...(isPart
			? keepBookmark(plan.bookmark, timed)
			: moveBookmark(plan.bookmark, timed, { nowSeconds, listedSinceAt: plan.changedSinceAt })),
		untimed: writeKeys([...readKeys(plan.bookmark.untimed), ...untimedKeys]),
		isComplete: next.isComplete,
	};
	const isStarted = started.length === listed.length;
	if (isStarted && restPage === undefined) return { ...next, ...keys };
	// The events that are left over are found again: by their time, or because their key is not remembered.
	if (!isPart) return { kind: 'due', triedAt: nowSeconds, ...keys };
	// The list may have become shorter meanwhile, so that the page before is read again.
	const isFurther = isStarted && restPage !== undefined;
	const page = isFurther ? Math.max(restPage - 1, plan.firstPage + 1) : plan.firstPage;
	return { kind: 'due', triedAt: nowSeconds, ...keys, rest: restOf(plan, next, page) };
}

function restOf(
	{ changedSinceAt, isFirstAfterEnd }: PeoplePlan,
	{ facts, readAt, changedAt, attendance }: ReadPeople,
	page: number,
): RestOfPeople {
	return { page, changedSinceAt, isFirstAfterEnd, facts, readAt, changedAt, attendance };
}

/** Adds events that have started a run to a bookmark, which stays where it is because a part of its list was not read. */
function keepBookmark(bookmark: TimedBookmark, started: readonly ListedEvent[]): TimedBookmark {
	const startedKeys = started
		.filter((event) => hasHappenedSince(event, bookmark.sinceAt))
		.map(seenKey);
	return {
		sinceAt: bookmark.sinceAt,
		seen: writeKeys([...readKeys(bookmark.seen), ...startedKeys]),
	};
}

/** Gives the bookmark of people who could not be read, so that the next poll reads them whatever their session shows. */
export function postponePeople(
	bookmark: PeopleBookmark,
	triedAt = lastTriedAt(bookmark),
): DuePeople {
	const rest = bookmark.kind === 'due' ? bookmark.rest : undefined;
	return { ...startedPeopleOf(bookmark), kind: 'due', triedAt, rest };
}

/** Gives the bookmark of people whose session is not listed; undefined once it is forgotten. */
export function hidePeople(bookmark: PeopleBookmark, nowSeconds: number): HiddenPeople | undefined {
	const hiddenAt = bookmark.kind === 'hidden' ? bookmark.hiddenAt : nowSeconds;
	if (nowSeconds - hiddenAt >= daySeconds) return undefined;
	return { ...startedPeopleOf(bookmark), kind: 'hidden', hiddenAt };
}

/** Gives the bookmarks of recordings and questions when all events but those that are left over have started a run. */
function moveAllContents(
	{ cursor, nowSeconds }: Round,
	lists: readonly PolledContents[],
	leftOver: ReadonlySet<ListedEvent>,
): Cursor['contents'] {
	const next = new Map(Object.entries(cursor.contents ?? {}));
	for (const [path, bookmark] of next) next.set(path, forgetContents(bookmark, nowSeconds));
	for (const { list, listed } of lists) {
		const started = listed.filter((event) => !leftOver.has(event));
		const bookmark = cursor.contents?.[list.path];
		// The lists that were read longest ago come first.
		next.delete(list.path);
		next.set(list.path, moveContents(bookmark, started, nowSeconds));
	}
	keepLatest(next, mostContentLists);
	return Object.fromEntries(next);
}

/** Gives the bookmark of a list when these of its events have started a run. */
function moveContents(
	bookmark: ContentBookmark | undefined,
	started: readonly ListedEvent[],
	nowSeconds: number,
): ContentBookmark {
	const mayBeLate = (event: ListedEvent) =>
		event.isUntimed || hasHappenedSince(event, nowSeconds - mostListedLateSeconds);
	const kept = writeKeys(started.filter(mayBeLate).map(seenKey));
	const keptKeys = readKeys(kept);
	const seen = [...keysOfContents(bookmark), ...started.map(seenKey)];
	return {
		readAt: nowSeconds,
		sinceAt: bookmark?.sinceAt,
		seen: writeKeys(seen.filter((key) => !keptKeys.has(key))),
		kept,
	};
}

/**
 * Forgets what a list has shown that was not read for a day. The time up to which it was read is kept, so that nothing is told
 * again when it is read at last.
 */
function forgetContents(bookmark: ContentBookmark, nowSeconds: number): ContentBookmark {
	const { readAt, sinceAt = 0, kept } = bookmark;
	if (nowSeconds - readAt < daySeconds || kept === undefined) return bookmark;
	const laterSinceAt = Math.max(sinceAt, readAt - mostListedLateSeconds);
	return { readAt, sinceAt: laterSinceAt, seen: '', kept };
}

/** Adds the keys of jobs that have started a run to the keys of earlier jobs. */
export function rememberJobs(keys: string | undefined, started: readonly ListedEvent[]): string {
	return writeKeys([...readKeys(keys), ...started.map(seenKey)]);
}
