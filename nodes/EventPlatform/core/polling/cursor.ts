import { shortKey } from '../events/delivery';
import type { ListedEvent } from '../events/eventTypes';
import type { Filters } from '../events/filters';

/*
 * The data in this file is what polling remembers from one poll to the next. It is plain data, which n8n stores with the workflow.
 * All times are Unix seconds by the platform's clock: the times of its records, or else the `Date` of its responses. memory.ts
 * decides when they are forgotten.
 */

/** The bookmark of a list whose records tell when something happened: how far the list was read. */
export interface TimedBookmark {
	/** The time from which on an event is news, unless its key is in `seen`. */
	sinceAt: number;
	/** The keys of the events from `sinceAt` on that have started a run. */
	seen: string;
}

/** The bookmark of the list of events, which can be asked for the events that have changed. */
export interface EventsBookmark extends TimedBookmark {
	/** When the list was last read whole. Absent: it never was. */
	readAt?: number;
}

/** The people of a session who have started a run, whatever state their list is in. */
interface PeopleBookmarkBase extends TimedBookmark {
	/** The keys of the events that no time tells to be new. Absent: nobody has been looked at yet. */
	untimed?: string;
	/** Whether `untimed` holds everybody who was registered when the trigger began. Then anybody else is new. */
	isComplete: boolean;
}

/** People who have to be read in the next poll, whatever their session shows. */
export interface DuePeople extends PeopleBookmarkBase {
	kind: 'due';
	/** When they were last read, or reading them was given up because the time of the poll was over. Absent: nobody has tried yet. */
	triedAt?: number;
	/** The part of their list that is still to be read, where one poll could not read all of it. */
	rest?: RestOfPeople;
}

/** The rest of a list of people that one poll could not read. The next polls go on there, as if they were one. */
export interface RestOfPeople extends ListState {
	/** The number of the page from which on the list is still to be read. */
	page: number;
	/** The time since which the listed people have changed. Absent: everybody is listed. */
	changedSinceAt?: number;
	/** Whether the session had ended since its people were last read, when reading them began. */
	isFirstAfterEnd: boolean;
}

/** The state that a list of people was in when it was read, or when reading it began. */
interface ListState {
	/** The counts and times that the session showed. */
	facts: string;
	/** When it was last read. */
	readAt: number;
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt?: number;
	/** Whether the session has ended, and if so, whether who attended may still change (`open`) or not (`settled`). */
	attendance: 'notOver' | 'open' | 'settled';
}

/** People who are read again when their session shows something else than it did. */
export interface ReadPeople extends PeopleBookmarkBase, ListState {
	kind: 'read';
}

/** People of a session that is not listed any more. They are remembered for a day, because it may be listed again. */
export interface HiddenPeople extends PeopleBookmarkBase {
	kind: 'hidden';
	/** When a poll first missed their session. */
	hiddenAt: number;
}

/** The bookmark of the people of a session: how far they were read. */
export type PeopleBookmark = DuePeople | ReadPeople | HiddenPeople;

/**
 * The bookmark of a list of a session that is read in every poll, such as its recordings. Not moved by the times of its records:
 * a recording may be listed long after the time that it tells.
 */
export interface ContentBookmark {
	/** When the list was last read. */
	readAt: number;
	/** The time from which on a record is news, unless its key is known. Absent: since polling began. */
	sinceAt?: number;
	/** The keys of older records that the list has shown. They are forgotten when it was not read for a day. */
	seen: string;
	/** The keys of records without a time, and of those of the last ten minutes before `readAt`. They are not forgotten. */
	kept?: string;
}

/** Whether the platform tells when somebody registered. */
export type RegistrationTimes = 'present' | 'missing';

/** The facts that decide how the sessions are listed until all of them are listed again. */
export interface SessionsView {
	/** The key of the search that the view is for. For another search all sessions are listed anew. */
	searchKey: string;
	/** When all sessions were listed. */
	listedAt: number;
	/** The number of pages that listing all sessions took. */
	pages: number;
	/** The number of requests that it takes to list the recent sessions and those on demand, and to read each other one that is open. */
	requestsInParts: number;
	/** Whether some sessions are on demand. */
	hasOnDemand: boolean;
}

/** The cursor of a trigger: how far the lists of the platform were read for it. */
export interface Cursor {
	/** When polling began: at the Start From, or at the activation. Nothing that happened before starts a run. */
	startedAt: number;
	/** The Start From that polling began with. Absent: it began with the activation. */
	startFrom?: number;
	/** When the sessions were last listed. */
	polledAt: number;
	/** The bookmark of the events of the workspace. Absent: they were not asked for. */
	events?: EventsBookmark;
	/** The bookmark of the sessions. Absent: they were not asked for. */
	sessions?: TimedBookmark;
	/** The bookmarks of people by the ids of their sessions. */
	people: Record<string, PeopleBookmark>;
	/** The bookmarks of recordings and questions by the paths of their lists. */
	contents?: Record<string, ContentBookmark>;
	/** The keys of the jobs that have started a run. */
	jobs?: string;
	/** The view that decides how the sessions are listed. Absent: all of them are listed. */
	view?: SessionsView;
	/** The ids of sessions that are open, or about which something is still to be read. */
	openSessionIds?: string[];
	/** Whether the platform tells when somebody registered. Absent: no response has shown it yet. */
	registrationTimes?: RegistrationTimes;
	/** Whether one run could not take everything. */
	hasMore?: boolean;
}

/** The events that a trigger looks for in the platform's lists. */
export interface Search {
	/** The event types that people chose. */
	eventTypes: readonly string[];
	/** The conditions that an event has to meet. */
	filters: Filters;
	/** The number of days after its end during which a session is looked at. */
	endedWithinDays: number;
	/** Whether a person has just activated the workflow. */
	isNew?: boolean;
	/** The Start From that people chose, in Unix seconds. Absent: polling begins with the activation. */
	startFrom?: number;
	/** The time since the workflow was activated, where nothing could be read since then. Absent: none has passed. */
	begunAgoSeconds?: number;
	/** Whether a delivery has told the workflow of the event already. */
	isDelivered?(event: ListedEvent): boolean;
}

export const daySeconds = 86_400;

/** At most so many events start one run, because more items would take too much of n8n's memory. The rest comes with the next poll. */
export const mostEventsInRun = 2_000;

/** A record may show up in its list so long after the event that it tells of. */
export const mostListedLateSeconds = 600;

/** The bounds of a poll. Lists that a poll leaves over come first in the next one. */
export interface PollLimits {
	/** Whether the poll has to come to its end with what it has. */
	isTimeOver(this: void): boolean;
	/** Whether the poll may reread lists only because a day has passed. The first poll after a start may not. */
	mayReadDaily: boolean;
}

/** The limits of a poll that may take any time. */
export const unlimited: PollLimits = { isTimeOver: () => false, mayReadDaily: true };

/** Gives the time from which on changed records are asked for. Changes that the last read has certainly shown are not asked for again. */
export function changedSince(sinceAt: number, readAt: number | undefined): number {
	return readAt === undefined ? sinceAt : Math.max(sinceAt, readAt - mostListedLateSeconds);
}

/** Gives a key that changes when other event types or filters are searched for. */
export function searchKey({ eventTypes, filters }: Search): string {
	return shortKey([eventTypes, filters]);
}

/** Gives the view of the last poll; undefined where it was for another search. */
export function viewOf({ view }: Cursor, search: Search): SessionsView | undefined {
	return view?.searchKey === searchKey(search) ? view : undefined;
}

/** Gives the bookmark of the list of events, which begins where the list was never read. */
export function eventsBookmarkOf(cursor: Cursor): EventsBookmark {
	return cursor.events ?? beginList(cursor);
}

/** Gives the bookmark of the list of sessions, which begins where the list was never read. */
export function sessionsBookmarkOf(cursor: Cursor, search: Search): TimedBookmark {
	return cursor.sessions ?? beginList(cursor, viewOf(cursor, search));
}

/** Begins the bookmark of a list that was never read: what has happened since the last poll may be news. */
export function beginList({ startedAt, polledAt }: Cursor, view?: SessionsView): TimedBookmark {
	// A session that only the list of all sessions shows was last seen when that list was read.
	const lastAt = Math.min(polledAt, view?.listedAt ?? polledAt);
	return { sinceAt: Math.max(startedAt, lastAt - mostListedLateSeconds), seen: '' };
}
