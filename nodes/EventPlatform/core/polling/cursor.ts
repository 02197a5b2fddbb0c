import type { Ask } from '../client/request';
import { shortKey } from '../events/delivery';
import { lists, type Filters, type ListedEvent } from '../events/eventTypes';

/** How far a list was read. All times are Unix seconds by the platform's clock. */
export interface Bookmark {
	readAt: number;
	/** When the latest of what was told happened, by the records themselves: no clock of anybody changes it. */
	latest?: number;
	/** Keys of what may be found again, because it happened within the overlap before `latest`. */
	seen?: string;
	/** Keys of what no time tells to be new. */
	known?: string;

	// Of the people of a session:
	/** Everybody who was there before is known. */
	isComplete?: boolean;
	/** What it shows of its people since `changedAt`; empty: it is not listed. Absent: they are read anyway. */
	shown?: string;
	changedAt?: number;
	/** How many of those whom it counts the list has shown. */
	count?: number;
	/** When reading them was given up because the time of the poll was over. */
	triedAt?: number;
	/** Attendance was read after the end, and whether it changes no more. */
	hasSettled?: boolean;
}

/** What is known from one poll to the next. Plain data, to be stored. */
export interface Cursor {
	/** Nothing from before starts a run: the Start From, or the activation. */
	from: number;
	polledAt: number;
	lists: Record<string, Bookmark>;
	view?: View;
	/** Sessions that are not over, or of which something is still to be told. */
	open?: string[];
	/** Times of which was told already, and the event types and filters for which that is so. */
	told?: Array<[from: number, until: number]>;
	toldOf?: string;
	/** The platform does not tell when somebody registered. */
	hasNoTimes?: boolean;
	/** One run could not take everything. */
	hasMore?: boolean;
}

export interface View {
	/** When all sessions were listed, and how many requests that took. */
	listedAt: number;
	pages: number;
	/** How many of the open ones the list of recent ones left out since then, at most. */
	hidden: number;
	/** How many of all sessions were on demand. */
	onDemand?: number;
}

export interface Wanted {
	eventTypes: readonly string[];
	filters: Filters;
	endedWithinDays: number;
	/** The workflow has just been activated by a person. */
	isNew?: boolean;
	startFrom?: number;
	/** How long ago the workflow was activated, where nothing could be read since then. */
	begunAgoSeconds?: number;
	/** Whether the workflow heard of it by a delivery. */
	wasDelivered?(event: ListedEvent): boolean;
}

export const day = 86_400;

/** How late a record may show up in its list. */
export const overlap = 600;

/** What bounds a poll. Lists that it leaves over come first in the next one. */
export interface PollLimits {
	/** Whether the poll has to come to its end with what it has. */
	isTimeOver(this: void): boolean;
	/** Whether lists are read only because a day has passed. The first poll after a start does without. */
	readsDaily: boolean;
}

export const unlimited: PollLimits = { isTimeOver: () => false, readsDaily: true };

/** One poll: what its parts have in common. */
export interface Round {
	api: Ask;
	/** Undefined where one list could not be read; it is told when that is so. */
	attempt<T>(this: void, work: Promise<T>): Promise<T | undefined>;
	wanted: Wanted;
	limits: PollLimits;
	cursor: Cursor;
	/** When the lists are read, rather too early than too late: what happens after it is found the next time. */
	now: number;
	platformNow: number;
}

/** By so much our clock may be behind the platform's. More is no time. */
const mostBehindMs = 3_600_000;

/**
 * Either clock may be wrong. The later one would leave out what happens until then, so that lists are read by
 * the earlier one; and never back to before the last poll.
 */
export function begin(former: Cursor | undefined, wanted: Wanted, oursMs: number, aheadMs: number) {
	const ours = Math.floor(oursMs / 1_000);
	const platformNow = Math.floor((oursMs - Math.max(aheadMs, -mostBehindMs)) / 1_000);
	const now = Math.min(ours, Math.max(former?.polledAt ?? 0, platformNow));
	const { eventTypes, filters, begunAgoSeconds = 0 } = wanted;
	const { startFrom: from = platformNow - begunAgoSeconds } = wanted;
	const first: Cursor = {
		from,
		polledAt: from,
		toldOf: shortKey([eventTypes, filters]),
		lists: {},
	};
	const cursor = former ? cursorAfter(former, first, wanted, now) : first;
	return { wanted, cursor, now, platformNow };
}

/** From where the last poll ended; or anew, where another time is asked for or the workflow was activated. */
function cursorAfter(former: Cursor, first: Cursor, wanted: Wanted, now: number): Cursor {
	const { isNew, startFrom } = wanted;
	const { from, toldOf } = first;
	const { polledAt, hasNoTimes, open, told = [] } = former;
	// For what else is wanted now all sessions are listed, and nothing from before the last poll is told.
	const isSame = former.toldOf === toldOf;
	const view = isSame ? former.view : undefined;
	const isOther = startFrom !== undefined && startFrom !== former.from;
	if (!isOther && (startFrom !== undefined || !isNew)) {
		const goesOn = { ...former, view, toldOf };
		if (polledAt <= now) return goesOn;
		// Our clock was ahead, and is not any more: it would be long until it is so late again.
		return { ...goesOn, polledAt: now, from: startFrom ?? Math.min(former.from, now) };
	}
	const anew: Cursor = { ...first, hasNoTimes, view, open };
	for (const [list, bookmark] of Object.entries(former.lists)) {
		// A job has no time, and one that has ended stays so.
		if (isOther || list === lists.jobs)
			anew.lists[list] = { ...bookmark, latest: undefined, readAt: from, shown: undefined };
	}
	// What the last poll had not read to the end, or may be listed late, is known by its keys only.
	const cut = Object.values(former.lists).filter(({ shown }) => !shown);
	const until = Math.min(polledAt, ...cut.map(({ readAt }) => readAt)) - overlap;
	return { ...anew, told: isSame ? [...told, [former.from, until]] : [] };
}

/** Of a list that was never read, what has been there since the last poll may be new. */
export function bookmarkOf({ lists: read, polledAt }: Cursor, list: string): Bookmark {
	const { readAt = polledAt, ...others } = read[list] ?? {};
	return { ...others, readAt: Math.min(readAt, polledAt) };
}

/** From when on a list is looked at that was read until a time. */
export function sinceOf(cursor: Cursor, list: string, until?: number): number {
	const { from, view, lists: read } = cursor;
	const { readAt, latest = 0 } = bookmarkOf(cursor, list);
	const time = until ?? Math.max(readAt, latest);
	// Most polls do not list all sessions.
	const isWhole = list !== lists.sessions && list in read;
	return Math.max(0, from, (isWhole ? time : Math.min(time, view?.listedAt ?? time)) - overlap);
}
