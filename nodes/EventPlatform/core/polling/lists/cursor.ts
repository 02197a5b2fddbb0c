import { storedId } from '../../client/path';
import {
	anyText,
	arrayOf,
	mapOf,
	optional,
	seconds,
	shaped,
	word,
	yesOrNo,
	type Stored,
} from '../../values/storedShape';
import { beginningOf, beginsAnew, searchKey, type Search } from '../pollSettings';
import type { Seconds } from '../../values/units';
import { bookmarkShape, isEndedJob } from './bookmark';

/*
 * How far polling has read: the bookmarks of the lists, and what is remembered of the sessions that have them. n8n stores it with the workflow.
 *
 *   field               set by                                 why
 *   startedAt           beginCursor                            nothing from before starts a run
 *   polledAt            each poll that lists sessions          the days of ended sessions count from here, so that an outage leaves none out
 *   lists               each step of `bookmark.ts`             each list has a bookmark
 *   fullList            a poll that lists all sessions         for a day recent sessions are enough, which takes fewer pages
 *   keptSessionIds      each poll that lists sessions          a list of recent sessions does not show these
 *   registrationTimes   the first people (registrationTimes)   where nobody has one, a list is read once from end to end before anybody is new
 *   hasMore             each poll                              the next one may come sooner, and owe for it (allowance.ts)
 *
 * All go when polling begins anew (beginCursor), but for registrationTimes and the bookmarks of ended jobs.
 */
type ListedNext = 'all' | 'recent' | 'recentAndOnDemand';

const fullList = {
	/** The search that they were listed for. For another one all sessions are listed anew. */
	searchKey: anyText,
	/** When all sessions were listed. */
	listedAt: seconds,
	/** What is listed for a day after that: all sessions again, because they fit on one page, or parts of them. */
	listedNext: word<ListedNext>('all', 'recent', 'recentAndOnDemand'),
};

export type FullList = Stored<typeof fullList>;

type RegistrationTimes = 'present' | 'missing';

export const cursorShape = {
	/** When polling began: at the Start From, or with the activation. Nothing that happened before starts a run. */
	startedAt: seconds,
	/**
	 * When a poll last listed sessions; at first `startedAt`. From then on the days of sessions count. A poll that
	 * lists only the recent sessions moves it as well, and only one that lists all of them moves `fullList.listedAt`. What has come
	 * into a list without a bookmark counts from the earlier one of both (lookedAt).
	 */
	polledAt: seconds,
	/** By path. */
	lists: mapOf(shaped(bookmarkShape)),
	fullList: optional(shaped(fullList)),
	/** The ids of sessions that stay in view, however old they are: they are open, or something about them is still to be read. */
	keptSessionIds: optional(arrayOf(storedId)),
	/** Whether the platform tells when somebody registered: `registrationTimes.ts`. Absent: no response has shown it. */
	registrationTimes: optional(word<RegistrationTimes>('present', 'missing')),
	/**
	 * More has happened than one run takes, or the time was over before all lists were read to their ends. It stays as it was where a limit has
	 * kept out all of them.
	 */
	hasMore: optional(yesOrNo),
};

export type Cursor = Stored<typeof cursorShape>;

/** At most so many events start one run, because more items would take too much of n8n's memory. The rest comes with the next poll. */
export const mostEventsInRun = 2_000;

/** Undefined where the last poll was for another search. */
export function fullListOf({ fullList: list }: Cursor, search: Search): FullList | undefined {
	return list?.searchKey === searchKey(search) ? list : undefined;
}

/** When a list that has no bookmark was last looked for. */
export function lookedAt(cursor: Cursor, search: Search, nowSeconds: Seconds): Seconds {
	const { polledAt } = cursor;
	// A session that only the list of all sessions shows was last looked for when that list was read.
	const listedAt = fullListOf(cursor, search)?.listedAt ?? polledAt;
	// A clock that was ahead may have been set right.
	return Math.min(listedAt, polledAt, nowSeconds);
}

export function beginCursor(
	cursor: Cursor | undefined,
	search: Search,
	nowSeconds: Seconds,
): Cursor {
	const startedAt = beginningOf(search, nowSeconds);
	const begun: Cursor = { startedAt, polledAt: startedAt, lists: {} };
	if (cursor === undefined) return begun;
	if (!beginsAnew(search, cursor.startedAt)) return cursor;
	const jobs = Object.entries(cursor.lists).filter(([path, job]) => isEndedJob(path, job));
	const { registrationTimes } = cursor;
	return { ...begun, lists: Object.fromEntries(jobs), registrationTimes };
}
