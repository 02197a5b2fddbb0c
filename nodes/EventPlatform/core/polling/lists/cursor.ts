import { storedId } from '../../client/path';
import {
	anyText,
	arrayOf,
	count,
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

/*
 * How far polling has read: a bookmark for each list that is watched, plain data that n8n stores with the workflow. What is news by a
 * bookmark: `isNews.ts`; how it moves: `watch.ts`. All times are Unix seconds by the platform's clock.
 *
 *   field            set by                                        until                               a list is read (dueRead)
 *   sinceAt          firstBookmark                                 a read to the end moves it          -
 *   timedKeys        each read                                     `sinceAt` passes their events       -
 *   untimedKeys      each read                                     the bookmark goes                   never again, of an ended job
 *   isOldKnown       firstBookmark, a read of all to the end       the bookmark goes                   -
 *   hasToldAbsent    a read that tells who stayed away             the bookmark goes                   -
 *   readAt           each read to the end                          the next one                        -
 *   triedAt          each read, also one that fails                the next one                        a day later
 *   failingSinceAt   a read that fails, a job that is not known    a read that does not                after the pause of `isWaiting`
 *   shown            a read that ends, a poll that needs none      the next one                        when its session shows something else
 *   againAt          a read that ends (readAgainAt), or finds      the next one                        then; a job not before
 *                      more than one run takes
 *   rest             a read that has not come to its end           it has, or begins anew              at once
 *   missedAt         the first poll that misses the list           a poll watches it                   -
 *
 * A bookmark goes a day after `missedAt`. When polling begins anew (beginsAnew), only ended jobs and `registrationTimes` stay. Nothing is
 * forgotten anywhere else.
 */
const bookmark = {
	/** From here on an event with a time is news, unless its key is in `timedKeys`. */
	sinceAt: seconds,
	/** The keys of the events from `sinceAt` on that have started a run. */
	timedKeys: anyText,
	/** The keys of the events that no time tells to be new. */
	untimedKeys: anyText,
	/** All that was in the list when polling began is in `untimedKeys`, so that anything else is new. */
	isOldKnown: optional(yesOrNo),
	/** Who stayed away was told. Who comes into the list from now on has registered for the replay. */
	hasToldAbsent: optional(yesOrNo),
	/** When the last read that came to its end began. Absent: none did. */
	readAt: optional(seconds),
	/** When a read was last tried. */
	triedAt: optional(seconds),
	/** Since when it could not be read. Absent: it could when it was last tried. */
	failingSinceAt: optional(seconds),
	/** What its session showed of it when it was last read. */
	shown: optional(anyText),
	/** When it is read again, whatever its session shows; a job not before. */
	againAt: optional(seconds),
	/** What is left of a read that has not come to its end. The next poll goes on with it. */
	rest: optional(
		shaped({
			page: count,
			/** How many records the list had. Absent: it does not say. */
			records: optional(count),
			/** What was asked for. Absent: everything. */
			sinceAt: optional(seconds),
			beganAt: seconds,
			/** As of the bookmark, for the pages so far. */
			hasToldAbsent: optional(yesOrNo),
		}),
	),
	/** When a poll first missed the list. Absent: the last one watched it. */
	missedAt: optional(seconds),
};

export type Bookmark = Stored<typeof bookmark>;

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
	 * When a poll last knew of each session whether it was in view; at first `startedAt`. From then on the days of sessions count, and what has
	 * come into a list without a bookmark (firstBookmark).
	 */
	polledAt: seconds,
	/** By path. */
	lists: mapOf(shaped(bookmark)),
	fullList: optional(shaped(fullList)),
	/** The ids of sessions that stay in view, however old they are: they are open, or something about them is still to be read. */
	keptSessionIds: optional(arrayOf(storedId)),
	/** Whether the platform tells when somebody registered: `registrationTimes.ts`. Absent: no response has shown it. */
	registrationTimes: optional(word<RegistrationTimes>('present', 'missing')),
	/** More has happened than one run takes, or the time was over before all lists were read to their ends. */
	hasMore: optional(yesOrNo),
};

export type Cursor = Stored<typeof cursorShape>;

/** At most so many events start one run, because more items would take too much of n8n's memory. The rest comes with the next poll. */
export const mostEventsInRun = 2_000;

/**
 * Supposed: a record may show up in its list so long after its event, and a list may be so long behind the counts of its session: a list is read
 * again from so long before, and a second time so long after a change. Otherwise what shows up late would never be told.
 */
export const mostListedLateSeconds = 600;

/** Undefined where the last poll was for another search. */
export function fullListOf({ fullList: list }: Cursor, search: Search): FullList | undefined {
	return list?.searchKey === searchKey(search) ? list : undefined;
}

/** A job that people have named, and that has ended. It stays so: it is not asked for again, and its bookmark is kept whatever else is forgotten. */
export function isEndedJob(path: string, { untimedKeys }: Bookmark): boolean {
	return path.startsWith('/jobs/') && untimedKeys !== '';
}

/** A job that the platform has not known since its last but one read at least. It may be mistyped. */
export function isUnknownJob({ failingSinceAt, triedAt, againAt }: Bookmark): boolean {
	if (failingSinceAt === undefined || triedAt === undefined) return false;
	// Where it could not be read for another reason, nothing says when it is read again.
	return againAt !== undefined && triedAt > failingSinceAt;
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
