/*
 * People, events and jobs are polled in one way: a list is watched. `watchedLists.ts` says which lists there are, and what their sessions show of them;
 * `readList.ts` reads one.
 *
 *   due       it was never read, its session shows something else than it did, or it is to be read again
 *   news      what of it has to start a run: `isNews.ts`
 *   moved     what has started a run is remembered; `sinceAt` follows the times of what was told, once the list was read from end to end
 */
import { readKeys, seenKey, writeKeys } from '../../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../../events/eventTypes';
import type { DeliveredRecord } from '../../records/record';
import { settlesAfterSeconds } from '../../sessions/phase';
import { largestOf } from '../../values/collections';
import type { JsonObject } from '../../values/json';
import {
	mostListedLateSeconds,
	fullListOf,
	isEndedJob,
	type Bookmark,
	type Cursor,
} from './cursor';
import type { Round } from '../pollContext';
import { backOffUntil } from '../backOff';
import { daySeconds, type Seconds } from '../../values/units';

/** A list that can be read again is read within the hour. */
const mostSecondsBetweenReads = 3_600;

export interface Watch {
	path: string;
	session?: DeliveredRecord;
	/** What its session shows of it. Absent: the list is read in every poll. */
	shown?: string;
	/** Nothing in it can be told yet: nobody is in it, or what is asked for is only known after the end of its session. */
	hasNothingToTell?: boolean;
	/** Until then nothing was in it. Absent: nobody knows. */
	emptyUntil?: Seconds;
	/** The platform can be asked for what has changed in it. `known`: only once everybody who was there before is known. */
	filter: 'never' | 'known' | 'always';
	/** The session has ended since polling began, and attendance is wanted. */
	endedAt?: Seconds;
	/** The path is that of one record, which is read until its event has started a run. */
	isOneRecord?: boolean;
	eventsOf(round: Round, records: readonly JsonObject[]): ListedEvent[];
}

/** What is asked for. */
export interface WatchRead {
	/** Absent: everything. */
	sinceAt?: Seconds;
	firstPage: number;
	/** Nothing shows that there is news in it: a day has passed, or the last read has failed. */
	isUnchanged?: boolean;
}

/** A list that was read, or a part of it. */
export interface Polled {
	watch: Watch;
	before: Bookmark;
	read: WatchRead;
	/**
	 * `missing`: the platform says that there is no such list, although it shows the session, or refuses it without words. Nothing of it is
	 * known, and the next read begins at page 0.
	 */
	end: 'reached' | 'missing' | { restPage: number };
	/** How many records the list has. Absent: it does not say. */
	records?: number;
	/** Some of the list was not asked for this time. There may be older news in it. */
	isPart: boolean;
	/** Who stayed away is told with it. */
	mayTellAbsent?: boolean;
	listed: ListedEvent[];
	news: ListedEvent[];
}

export function bookmarkOf(round: Round, watch: Watch): Bookmark {
	const stored = round.cursor.lists[watch.path];
	if (stored === undefined) return firstBookmark(round, watch);
	// Where our clock was set ahead, a read that got no response was noted at a time that is still to come.
	const past = (at: Seconds | undefined) => at && Math.min(at, round.nowSeconds);
	const { triedAt, failingSinceAt } = stored;
	return {
		...stored,
		triedAt: past(triedAt),
		failingSinceAt: past(failingSinceAt),
		missedAt: undefined,
	};
}

/** Polling has seen nothing of the list yet, or has forgotten it, or a filter has left it out until now. */
function firstBookmark(
	{ cursor, search, nowSeconds }: Round,
	{ emptyUntil = -Infinity }: Watch,
): Bookmark {
	const { startedAt, polledAt } = cursor;
	// A session that only the list of all sessions shows was last looked for when that list was read. A clock that was ahead may have been set right.
	const listedAt = fullListOf(cursor, search)?.listedAt ?? polledAt;
	const lookedAt = Math.min(listedAt, polledAt, nowSeconds);
	const seenUntil = Math.max(startedAt, lookedAt - mostListedLateSeconds);
	const noKeys = { timedKeys: '', untimedKeys: '' };
	// All that is in it has come since polling looked for it.
	if (emptyUntil >= seenUntil) return { ...noKeys, sinceAt: startedAt, isOldKnown: true };
	return { ...noKeys, sinceAt: seenUntil, isOldKnown: false };
}

/** The read of a list that is due; undefined where nothing is to be read. */
export function dueRead(
	{ nowSeconds }: Round,
	watch: Watch,
	before: Bookmark,
): WatchRead | undefined {
	const { rest, isOldKnown, sinceAt, readAt, againAt = Infinity } = before;
	if (watch.hasNothingToTell) return undefined;
	if (rest) return { firstPage: rest.page, sinceAt: rest.sinceAt };
	if (isEndedJob(watch.path, before)) return undefined;
	if (watch.isOneRecord && nowSeconds < (before.againAt ?? 0)) return undefined;
	const hasChanged = watch.shown === undefined || watch.shown !== before.shown;
	const isUnchanged = !hasChanged && againAt > nowSeconds;
	// One person may have left when another one came.
	const isDayOld = nowSeconds - (before.triedAt ?? sinceAt) >= daySeconds;
	if (isUnchanged && before.failingSinceAt === undefined && !isDayOld) return undefined;
	const isKnown = isOldKnown === true && readAt !== undefined;
	const mayFilter = watch.filter === 'always' || (watch.filter === 'known' && isKnown);
	// Who stayed away has not changed, and nobody has seen whether it is a change of a person that he came.
	if (!mayFilter || watch.endedAt !== undefined) return { firstPage: 0, isUnchanged };
	// Where polling begins at this moment, nothing has come since.
	if (readAt === undefined && sinceAt >= nowSeconds) return undefined;
	const since = readAt === undefined ? sinceAt : Math.max(sinceAt, readAt - mostListedLateSeconds);
	return { firstPage: 0, sinceAt: since, isUnchanged };
}

/** The bookmark once all events but those that are left over have started a run. */
export function moveBookmark(
	{ nowSeconds }: Round,
	polled: Polled,
	leftOver: ReadonlySet<ListedEvent>,
): Bookmark {
	const { watch, before, read, end, records, listed, mayTellAbsent } = polled;
	const told = listed.filter((event) => !leftOver.has(event));
	const hasLeft = told.length < listed.length;
	const untimed = told.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const isUnknown = watch.isOneRecord && end === 'missing';
	const next: Bookmark = {
		...before,
		...movedPast(polled, told, nowSeconds),
		untimedKeys: writeKeys([...readKeys(before.untimedKeys), ...untimed]),
		isOldKnown: before.isOldKnown || (end === 'reached' && read.sinceAt === undefined),
		triedAt: nowSeconds,
		failingSinceAt: isUnknown ? (before.failingSinceAt ?? nowSeconds) : undefined,
		rest: undefined,
	};
	const beganAt = before.rest?.beganAt ?? nowSeconds;
	// What the run had no room for may stand on each of the pages that were read. A read that began at page 0 then has no rest: the next poll
	// reads the list anew.
	if (hasLeft && read.firstPage === 0) return { ...next, againAt: nowSeconds };
	const page = hasLeft ? read.firstPage : restPageOf(polled);
	if (page !== undefined)
		return {
			...next,
			rest: { page, records, sinceAt: read.sinceAt, beganAt, hasToldAbsent: mayTellAbsent },
		};
	// Somebody who came while the list was read may stand on a page that was read before.
	const readAt = end === 'reached' ? beganAt : before.readAt;
	const hasToldAbsent = before.hasToldAbsent || mayTellAbsent;
	const looked = { ...next, hasToldAbsent, shown: watch.shown, readAt };
	return { ...looked, againAt: readAgainAt(polled, looked, nowSeconds) };
}

/** The page from which on the list is still to be read; undefined where it was read to its end. */
function restPageOf({ read: { firstPage }, end }: Polled): number | undefined {
	if (typeof end === 'string') return undefined;
	// The list may become shorter until the next poll, so that the last page is read again; but each poll gets a page further.
	return Math.max(firstPage + 1, end.restPage - 1);
}

/** `sinceAt` follows the times of what was told, once the list was read from end to end: it is in any order. */
function movedPast(
	{ before, read, end, isPart }: Polled,
	told: readonly ListedEvent[],
	nowSeconds: Seconds,
): Pick<Bookmark, 'sinceAt' | 'timedKeys'> {
	const timed = told.filter(({ isUntimed }) => !isUntimed);
	// A bookmark at a time to come would leave out all that happens until then.
	const times = timed.flatMap(({ happenedAtSeconds: at = 0 }) => (at <= nowSeconds ? at : []));
	const lateTimes = times.map((at) => at - mostListedLateSeconds);
	const isAll = end === 'reached' && !isPart;
	const sinceAt = largestOf([before.sinceAt, ...(isAll ? lateTimes : [])]);
	const keys = timed.filter((event) => hasHappenedSince(event, sinceAt)).map(seenKey);
	// An event that was not listed this time may still have happened after `sinceAt`.
	const mayShowMore =
		sinceAt === before.sinceAt || (read.sinceAt !== undefined && read.sinceAt > sinceAt);
	const keysBefore = mayShowMore ? readKeys(before.timedKeys) : [];
	return { sinceAt, timedKeys: writeKeys([...keysBefore, ...keys]) };
}

/** When a list is read again that was read to its end, or is missing: ten minutes after a change, and until attendance has settled. */
function readAgainAt(
	{ watch: { shown, endedAt }, before, end, news }: Polled,
	{ failingSinceAt, hasToldAbsent }: Bookmark,
	nowSeconds: Seconds,
): Seconds | undefined {
	// A gateway may have said that it is missing, or the ID of a job may be mistyped.
	const laterThan = (sinceAt: Seconds) =>
		backOffUntil({ sinceAt, triedAt: nowSeconds }, daySeconds);
	if (failingSinceAt !== undefined) return laterThan(failingSinceAt);
	const waits = endedAt !== undefined && !hasToldAbsent;
	const hasChanged = shown !== before.shown || news.some(({ attendance }) => attendance === 'came');
	if (hasChanged && (shown !== undefined || waits)) return nowSeconds + mostListedLateSeconds;
	if (!waits) return undefined;
	const settlesAt = endedAt + settlesAfterSeconds;
	if (end !== 'missing') return settlesAt;
	// What stays missing is given up after a day.
	const isGivenUp = nowSeconds - endedAt >= daySeconds;
	return isGivenUp ? undefined : Math.max(settlesAt, laterThan(endedAt));
}

/** Whether a list that could not be read has to wait until it is tried again. For good it would cost a request in each poll. */
export function isWaiting({ nowSeconds }: Round, { failingSinceAt, triedAt }: Bookmark): boolean {
	if (failingSinceAt === undefined || triedAt === undefined) return false;
	return nowSeconds < backOffUntil({ sinceAt: failingSinceAt, triedAt }, mostSecondsBetweenReads);
}

/** The bookmarks of lists that this poll did not watch, without those that were missed for a day. */
export function missedLists(
	{ cursor, nowSeconds }: Round,
	watched: ReadonlySet<string>,
): Cursor['lists'] {
	const next: Cursor['lists'] = {};
	for (const [path, before] of Object.entries(cursor.lists)) {
		if (watched.has(path)) continue;
		const { missedAt = nowSeconds } = before;
		if (isEndedJob(path, before)) next[path] = before;
		else if (nowSeconds - missedAt < daySeconds) next[path] = { ...before, missedAt };
	}
	return next;
}

/**
 * Three things may be left when a poll is over:
 *
 *   `hasMore`        of the cursor: the time was over, or the run was full. The next poll goes on at once
 *   `hasUntold`      something that has happened has not started a run. A gap stays open until then
 *   `isUnfinished`   a list is read again, if only to make sure that nothing is missing. Its session stays in view until then
 */
export function hasUntold({ endedAt, shown, hasNothingToTell }: Watch, next: Bookmark): boolean {
	if (hasNothingToTell) return false;
	const isOpen = endedAt !== undefined && next.hasToldAbsent !== true;
	const isUnread = next.failingSinceAt !== undefined || next.rest !== undefined;
	return isUnread || shown !== next.shown || isOpen;
}

/** Something of the list is still to be read, however long ago its session has ended. */
export function isUnfinished({ shown, hasNothingToTell }: Watch, next: Bookmark): boolean {
	if (hasNothingToTell) return false;
	return next.rest !== undefined || next.againAt !== undefined || shown !== next.shown;
}
