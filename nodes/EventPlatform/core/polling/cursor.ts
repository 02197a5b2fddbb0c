import { shortKey } from '../events/delivery';
import type { Filters, ListedEvent } from '../events/eventTypes';

/*
 * Polling remembers this from one poll to the next. It is plain data, which n8n stores with the workflow. All times are
 * Unix seconds by the platform's clock: those of its records, else the `Date` of its responses.
 */

/** How far a list was read whose records tell when something happened. */
export interface TimedBookmark {
	/** An event from then on is news, unless its key is in `seen`. */
	sinceAt: number;
	/** Keys of the events from `sinceAt` on that have started a run. */
	seen: string;
}

/** How far the list of events was read, which is asked for what has changed. */
export interface EventsBookmark extends TimedBookmark {
	/** Absent: it was never read. */
	readAt?: number;
}

/** The people of a session that have started a run, whatever state their list is in. */
interface PeopleBookmarkBase extends TimedBookmark {
	/** Keys of the events that no time tells to be new. Absent: nobody has been looked at yet. */
	untimed?: string;
	/** Everybody who was there before the trigger began is in `untimed`, so that a person who is not in it has come since. */
	isComplete: boolean;
}

/** People who have to be read in the next poll, whatever their session shows. */
export interface DuePeople extends PeopleBookmarkBase {
	kind: 'due';
	/** When they were last read, or reading them was given up because the time of the poll was over. */
	triedAt?: number;
}

/** People who are read again when their session shows something else than it did. */
export interface ReadPeople extends PeopleBookmarkBase {
	kind: 'read';
	/** The counts and times that the session showed. */
	facts: string;
	readAt: number;
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt?: number;
	/** `open`: the session has ended, and who attended may still change. */
	attendance: 'notOver' | 'open' | 'settled';
}

/** People of a session that is not listed any more. They are remembered for a day, because it may be listed again. */
export interface HiddenPeople extends PeopleBookmarkBase {
	kind: 'hidden';
	hiddenAt: number;
}

export type PeopleBookmark = DuePeople | ReadPeople | HiddenPeople;

/** The records that have started a run, of a list of a session that is read in every poll. */
export interface ContentBookmark {
	readAt: number;
	/** Keys of what the list has shown. */
	seen: string;
}

/** Whether the platform tells when somebody registered. */
export type RegistrationTimes = 'given' | 'missing';

/** How the sessions are listed until all of them are listed again. */
export interface SessionsView {
	/** The event types and filters that it is for. For others all sessions are listed anew. */
	askedFor: string;
	/** When all sessions were listed. */
	listedAt: number;
	/** How many pages that took. */
	pages: number;
	/** How many requests it takes to list the recent ones, those on demand, and each other one that is open. */
	requestsInParts: number;
	/** Whether some of them are on demand. */
	hasOnDemand: boolean;
}

export interface Cursor {
	/** When polling began: at the Start From, or at the activation. Nothing from before starts a run. */
	startedAt: number;
	/** The Start From that polling began with. Absent: it began with the activation. */
	startFrom?: number;
	polledAt: number;
	/** Absent: the list was not asked for. */
	events?: EventsBookmark;
	sessions?: TimedBookmark;
	/** By the ids of their sessions. */
	people: Record<string, PeopleBookmark>;
	/** By the paths of recordings and questions of a session. */
	contents?: Record<string, ContentBookmark>;
	/** Keys of the jobs that have started a run. */
	jobs?: string;
	view?: SessionsView;
	/** The ids of sessions that are open, or of which something is still to be read. */
	open?: string[];
	/** Absent: no response has shown it yet. */
	registrationTimes?: RegistrationTimes;
	/** Whether one run could not take everything. */
	hasMore?: boolean;
}

/** The events that a trigger looks for in the platform's lists. */
export interface Search {
	eventTypes: readonly string[];
	filters: Filters;
	endedWithinDays: number;
	/** Whether a person has just activated the workflow. */
	isNew?: boolean;
	/** The Start From that people chose, in Unix seconds. */
	startFrom?: number;
	/** How long ago the workflow was activated, where nothing could be read since then. */
	begunAgoSeconds?: number;
	/** Whether a delivery has told the workflow of the event already. */
	isDelivered?(event: ListedEvent): boolean;
}

export const daySeconds = 86_400;

/** How late a record may show up in its list. */
export const mostListedLateSeconds = 600;

/** The bounds of a poll. Lists that it leaves over come first in the next one. */
export interface PollLimits {
	/** Whether the poll has to come to its end with what it has. */
	isTimeOver(this: void): boolean;
	/** Whether lists are read only because a day has passed. The first poll after a start does without. */
	mayReadDaily: boolean;
}

export const unlimited: PollLimits = { isTimeOver: () => false, mayReadDaily: true };

/**
 * Gives the cursor that a poll goes on from. Another Start From begins anew, so that an event may start a second run, which
 * its event key tells. An activation by a person begins anew at that moment.
 */
export function beginCursor(cursor: Cursor | undefined, search: Search, now: number): Cursor {
	const { startFrom, isNew = false, begunAgoSeconds = 0 } = search;
	const startedAt = startFrom ?? now - begunAgoSeconds;
	const anew: Cursor = { startedAt, startFrom, polledAt: startedAt, people: {} };
	if (cursor === undefined) return anew;
	const isOtherStart = startFrom !== undefined && startFrom !== cursor.startFrom;
	if (!isOtherStart && (startFrom !== undefined || !isNew)) return cursor;
	// A job has no time and stays ended, so that only its key tells that it has started a run.
	return { ...anew, jobs: cursor.jobs, registrationTimes: cursor.registrationTimes };
}

/** Tells from when on changed records are listed. Records that were changed long after they began are not listed again. */
export function changedSince(sinceAt: number, readAt = 0): number {
	return Math.max(sinceAt, readAt - mostListedLateSeconds);
}

/** Gives a key that changes when something else is asked for. */
export function askedForKey({ eventTypes, filters }: Search): string {
	return shortKey([eventTypes, filters]);
}

/** The view of the last poll, unless something else was asked for then. */
export function viewOf({ view }: Cursor, search: Search): SessionsView | undefined {
	return view?.askedFor === askedForKey(search) ? view : undefined;
}

/** Begins the bookmark of a list that was never read: what has happened since the last poll may be news. */
export function beginList({ startedAt, polledAt }: Cursor, view?: SessionsView): TimedBookmark {
	// A session that only the list of all sessions shows was last seen when that list was read.
	const lastAt = Math.min(polledAt, view?.listedAt ?? polledAt);
	return { sinceAt: Math.max(startedAt, lastAt - mostListedLateSeconds), seen: '' };
}
