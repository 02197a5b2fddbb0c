import { storedId } from '../client/path';
import { readKeys, seenKey, shortKey, writeKeys } from '../events/delivery';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
import type { Filters } from '../events/filters';
import {
	anyText,
	count,
	arrayOf,
	mapOf,
	oneOfKinds,
	optional,
	seconds,
	shaped,
	word,
	yesOrNo,
	type Stored,
} from '../values/storedShape';
import type { LeadTime } from './leadTime';

/*
 * The cursor is how far polling has read the lists. It is plain data, which n8n stores with the workflow, beside the schedule of
 * sessions, what is owed and when polling began (triggers/storage.ts).
 * All times are Unix seconds by the platform's clock: the times of its records, or else the `Date` of its responses.
 *
 * When it is forgotten, and nothing of it is forgotten anywhere else:
 *
 *   events, sessions       a key is forgotten when the bookmark has moved past the time of its event: moveBookmark
 *   people                 the same for registrations that have a time; the other keys are forgotten with the session, when it
 *                          was not listed for a day: people.ts
 *   recordings, questions  a key is forgotten when its list was not read for a day, and the whole bookmark when a thousand lists that
 *                          nobody looks at any more were read later; the time of the last read is not: contents.ts
 *   jobs                   a key is never forgotten, because a job has no time and stays ended: poll.ts
 *   events, sessions       the whole bookmark is forgotten when no event type of theirs is chosen any more: moveCursor in poll.ts
 *   all but jobs           everything is forgotten when polling begins anew: beginsAnew
 *   all                    a part that does not fit, because another version has stored it, is left out: triggers/storage.ts
 */

const timedBookmark = {
	/** The time from which on an event is news, unless its key is in `seen`. */
	sinceAt: seconds,
	/** The keys of the events from `sinceAt` on that have started a run. */
	seen: anyText,
};

/** The bookmark of a list whose records tell when something happened: how far the list was read. */
export type TimedBookmark = Stored<typeof timedBookmark>;

const eventsBookmark = {
	...timedBookmark,
	/** When the list was last read whole. Absent: it never was. */
	readAt: optional(seconds),
};

/** The bookmark of the list of events, which can be asked for the events that have changed. */
export type EventsBookmark = Stored<typeof eventsBookmark>;

const startedPeople = {
	...timedBookmark,
	/** The keys of the events that no time tells to be new. Absent: nobody has been looked at yet. */
	untimed: optional(anyText),
	/** Where `untimed` holds everybody who was registered when the trigger began, anybody else is new. */
	isComplete: yesOrNo,
};

/** The people of a session who have started a run, whatever state their list is in. */
export type StartedPeople = Stored<typeof startedPeople>;

const listState = {
	/** The counts and times that the session showed. */
	facts: anyText,
	/** When it was last read. */
	readAt: seconds,
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt: optional(seconds),
	/** Who attended may still change while it is `open`, but not once it is `settled`. */
	attendance: word('notOver', 'open', 'settled'),
};

const restOfPeople = {
	...listState,
	/** The number of the page from which on the list is still to be read. */
	page: count,
	/** The time since which the listed people have changed. Absent: everybody is listed. */
	changedSinceAt: optional(seconds),
	/** This is as it was when reading the people began. */
	isFirstAfterEnd: yesOrNo,
};

/** The rest of a list of people that one poll could not read. The next polls go on there, as if they were one. */
export type RestOfPeople = Stored<typeof restOfPeople>;

const duePeople = {
	kind: word('due'),
	...startedPeople,
	/** When they were last read, or reading them was given up because the time of the poll was over. Absent: nobody has tried yet. */
	triedAt: optional(seconds),
	/** The part of their list that is still to be read, where one poll could not read all of it. */
	rest: optional(shaped(restOfPeople)),
};

/** People who have to be read in the next poll, whatever their session shows. */
export type DuePeople = Stored<typeof duePeople>;

const readPeople = { kind: word('read'), ...startedPeople, ...listState };

/** People who are read again when their session shows something else than it did. */
export type ReadPeople = Stored<typeof readPeople>;

const hiddenPeople = {
	kind: word('hidden'),
	...startedPeople,
	/** When a poll first missed their session. */
	hiddenAt: seconds,
};

/** People of a session that is not listed any more. They are remembered for a day, because it may be listed again. */
export type HiddenPeople = Stored<typeof hiddenPeople>;

/** The bookmark of the people of a session: how far they were read. */
export type PeopleBookmark = DuePeople | ReadPeople | HiddenPeople;

const contentBookmark = {
	/** When the list was last read. */
	readAt: seconds,
	/** The time from which on a record is news, unless its key is known. Absent: since polling began. */
	sinceAt: optional(seconds),
	/** The keys of older records that the list has shown. They are forgotten when it was not read for a day. */
	seen: anyText,
	/** The keys of records without a time, and of those of the last ten minutes before `readAt`. They are not forgotten. */
	kept: optional(anyText),
};

/**
 * The bookmark of a list of a session that is read in every poll, such as its recordings. Not moved by the times of its records:
 * a recording may be listed long after the time that it tells.
 */
export type ContentBookmark = Stored<typeof contentBookmark>;

const sessionsView = {
	/** The key of the search that the view is for. For another search all sessions are listed anew. */
	searchKey: anyText,
	/** When all sessions were listed. */
	listedAt: seconds,
	/** The number of pages that listing all sessions took. */
	pages: count,
	/** The number of requests that it takes to list the recent sessions and those on demand, and to read each other one that is open. */
	requestsInParts: count,
	hasOnDemand: yesOrNo,
};

/** The facts that decide how the sessions are listed until all of them are listed again. */
export type SessionsView = Stored<typeof sessionsView>;

export type RegistrationTimes = 'present' | 'missing';

export const cursorShape = {
	/** When polling began: at the Start From, or at the activation. Nothing that happened before starts a run. */
	startedAt: seconds,
	/** The Start From that polling began with. Absent: it began with the activation. */
	startFrom: optional(seconds),
	/** When the sessions were last listed. */
	polledAt: seconds,
	/** The bookmark of the events of the workspace. Absent: they were not asked for. */
	events: optional(shaped(eventsBookmark)),
	/** The bookmark of the sessions. Absent: they were not asked for. */
	sessions: optional(shaped(timedBookmark)),
	/** The bookmarks of people by the ids of their sessions. */
	people: mapOf<PeopleBookmark>(
		oneOfKinds({
			due: shaped(duePeople),
			read: shaped(readPeople),
			hidden: shaped(hiddenPeople),
		}),
	),
	/** The bookmarks of recordings and questions by the paths of their lists. */
	contents: optional(mapOf(shaped(contentBookmark))),
	/** When the last of those lists was read whose bookmark was forgotten, because there were too many. Absent: none was. */
	contentsForgottenAt: optional(seconds),
	/** The keys of the jobs that have started a run. */
	jobs: optional(anyText),
	/** The view that decides how the sessions are listed. Absent: all of them are listed. */
	view: optional(shaped(sessionsView)),
	/** The ids of sessions that are open, or about which something is still to be read. */
	openSessionIds: optional(arrayOf(storedId)),
	/** Absent: no response has shown yet whether the platform tells when somebody registered. */
	registrationTimes: optional(word<RegistrationTimes>('present', 'missing')),
	/** More has happened than one run takes, or a list of people was not read to its end. */
	hasMore: optional(yesOrNo),
};

/** The cursor of a trigger: how far the lists of the platform were read for it. */
export type Cursor = Stored<typeof cursorShape>;

/** The events that a trigger looks for in the platform's lists. */
export interface Search {
	eventTypes: readonly string[];
	filters: Filters;
	/** The number of days after its end during which a session is looked at. */
	endedWithinDays: number;
	/** A person has just activated the workflow. */
	isNew?: boolean;
	/** The Start From that people chose, in Unix seconds. Absent: polling begins with the activation. */
	startFrom?: number;
	/** The time since the workflow was activated, where nothing could be read since then. Absent: none has passed. */
	begunAgoSeconds?: number;
	/** How long before its start a session is told. Absent: no start is told. */
	leadTimes?: readonly LeadTime[];
	isDelivered?(event: ListedEvent): boolean;
}

export const daySeconds = 86_400;

/** At most so many events start one run, because more items would take too much of n8n's memory. The rest comes with the next poll. */
export const mostEventsInRun = 2_000;

/**
 * A record may show up in its list so long after the event that it tells of, and a list may be so long behind the counts of its
 * session. So a list is read again from so long before the last event or read, and people a second time so long after a change.
 */
export const mostListedLateSeconds = 600;

/** The bounds of a poll. Lists that a poll leaves over come first in the next one. */
export interface PollLimits {
	/** The poll then has to come to its end with what it has. */
	isTimeOver(this: void): boolean;
	/**
	 * The first poll after a start may not read the people of a session again only because a day has passed: where n8n starts once a day,
	 * each of these polls would do so for all sessions.
	 */
	mayReadDaily: boolean;
	/** The most events that it tells. Absent: as many as a run takes. */
	mostEvents?: number;
}

/** The limits of a poll that may take any time. */
export const unlimited: PollLimits = { isTimeOver: () => false, mayReadDaily: true };

/** Changes that the last read has certainly shown are not asked for again. */
export function changedSince(sinceAt: number, readAt: number | undefined): number {
	return readAt === undefined ? sinceAt : Math.max(sinceAt, readAt - mostListedLateSeconds);
}

export function searchKey({ eventTypes, filters }: Search): string {
	return shortKey([eventTypes, filters]);
}

/** Undefined where the last poll was for another search. */
export function viewOf({ view }: Cursor, search: Search): SessionsView | undefined {
	return view?.searchKey === searchKey(search) ? view : undefined;
}

export function eventsBookmarkOf(cursor: Cursor): EventsBookmark {
	return cursor.events ?? beginList(cursor);
}

export function sessionsBookmarkOf(cursor: Cursor, search: Search): TimedBookmark {
	return cursor.sessions ?? beginList(cursor, viewOf(cursor, search));
}

/** Begins the bookmark of a list that was never read: what has happened since the last poll may be news. */
export function beginList({ startedAt, polledAt }: Cursor, view?: SessionsView): TimedBookmark {
	// A session that only the list of all sessions shows was last seen when that list was read.
	const lastAt = Math.min(polledAt, view?.listedAt ?? polledAt);
	return { sinceAt: Math.max(startedAt, lastAt - mostListedLateSeconds), seen: '' };
}

/**
 * Polling begins anew with another Start From than the last one, so that an event may start a second run, which its event key
 * tells; without a Start From, at an activation by a person.
 */
export function beginsAnew({ startFrom, isNew = false }: Search, lastStartFrom?: number): boolean {
	return startFrom === undefined ? isNew : startFrom !== lastStartFrom;
}

/** The beginning is in Unix seconds. */
export function beginningOf(
	{ startFrom, begunAgoSeconds = 0 }: Search,
	nowSeconds: number,
): number {
	return startFrom ?? nowSeconds - begunAgoSeconds;
}

export function beginCursor(
	cursor: Cursor | undefined,
	search: Search,
	nowSeconds: number,
): Cursor {
	const { startFrom } = search;
	const startedAt = beginningOf(search, nowSeconds);
	const newCursor: Cursor = { startedAt, startFrom, polledAt: startedAt, people: {} };
	if (cursor === undefined) return newCursor;
	if (!beginsAnew(search, cursor.startFrom)) return cursor;
	return { ...newCursor, jobs: cursor.jobs, registrationTimes: cursor.registrationTimes };
}

export function startedPeopleOf(bookmark: PeopleBookmark): StartedPeople {
	const { sinceAt, seen, untimed, isComplete } = bookmark;
	return { sinceAt, seen, untimed, isComplete };
}

/** Some unfinished people may still start a run, however long ago their session has ended. */
export function isUnfinished(bookmark: PeopleBookmark | undefined): boolean {
	return bookmark?.kind === 'due' || (bookmark?.kind === 'read' && bookmark.attendance === 'open');
}

/** Undefined where the people were never read, and reading them was never tried. */
export function lastTriedAt(bookmark: PeopleBookmark | undefined): number | undefined {
	if (bookmark?.kind === 'read') return bookmark.readAt;
	return bookmark?.kind === 'due' ? bookmark.triedAt : undefined;
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
