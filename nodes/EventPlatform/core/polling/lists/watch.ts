/*
 * People, events and jobs are polled in one way: a list is watched. `watchedLists.ts` says which lists there are, and what their sessions show of
 * them; `bookmark.ts` has when one is read and what is remembered of it; `readList.ts` reads one; `isNews.ts` says what of it starts a run.
 */
import type { ListedEvent } from '../../events/eventTypes';
import type { DeliveredRecord } from '../../records/record';
import type { JsonObject } from '../../values/json';
import type { Seconds } from '../../values/units';

export interface Watch {
	path: string;
	session?: DeliveredRecord;
	/** What its session shows of it. Absent: the list is read in every poll. */
	shown?: string;
	/** Nothing in it can be told yet: nobody is in it, or what is asked for is only known after the end of its session. */
	hasNothingToTell?: boolean;
	/** Until then nothing was in it. Absent: nobody knows. */
	emptyUntil?: Seconds;
	/**
	 * The platform can be asked for what has changed in it. `known`: only once all of it was read. Without times of registration a change does not
	 * tell who is new, and only the keys from that read do.
	 */
	filter: 'never' | 'known' | 'always';
	/** The session has ended since polling began, and attendance is wanted. */
	endedAt?: Seconds;
	/** The path is that of one record, which is read until its event has started a run. */
	isOneRecord?: boolean;
	eventsOf(this: void, records: readonly JsonObject[]): ListedEvent[];
}

/** What is asked for. */
export interface WatchRead {
	/** Absent: everything. */
	sinceAt?: Seconds;
	firstPage: number;
	/** How many records the list had when the pages before were read. Absent: none were, or it did not say. */
	recordsBefore?: number;
	/** Nothing shows that there is news in it. It is read because a day has passed, or the last read has failed. Others go first. */
	isUnchanged?: boolean;
}

/** A list that was read, or a part of it. */
export interface Polled {
	watch: Watch;
	read: WatchRead;
	end: 'reached' | { restPage: number };
	/** How many records the list has. Absent: it does not say. */
	records?: number;
	/** Some of the list was not asked for this time. There may be older news in it. */
	isPart: boolean;
	/** Who stayed away is told with it. */
	tellsAbsent?: boolean;
	listed: ListedEvent[];
	news: ListedEvent[];
}
