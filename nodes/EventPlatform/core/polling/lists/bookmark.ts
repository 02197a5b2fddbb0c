/*
 * How far a list was read: plain data that n8n stores with the workflow. Only this file makes a bookmark, changes it, and says when its list is
 * read. What is news by it: `isNews.ts`. All times are Unix seconds by the platform's clock.
 *
 * A step gives the next bookmark:
 *
 *   begun        the list has none: it is new, its session was out of view for a day, or a filter has left it out until now
 *   notDue       nothing of it had to be read
 *   failed       it could not be read; cutShort: the time was over, or a limit lasted longer, before a page came
 *   afterRead    it was read, and what was told is remembered (withTold): to its end (readToEnd); in part; or with more in it than the run
 *                takes
 *   missed       the poll did not watch it
 *
 *   field            set by                                    until                            the list is read (dueRead)
 *   sinceAt          begun                                     a read from page 0 to the end    -
 *   timedKeys        withTold                                  `sinceAt` passes their events    -
 *   untimedKeys      withTold                                  the bookmark goes                never again, of an ended job
 *   isOldKnown       begun, a read of all to the end           the bookmark goes                -
 *                      (withTold)
 *   hasToldAbsent    readToEnd, if it tells them               the bookmark goes                -
 *   readAt           readToEnd                                 the next one                     a day later
 *   trouble          failed, cutShort; a read in part, or      withTold                         after a pause (mustWait)
 *                      more than the run takes (afterRead)
 *   shown            readToEnd, notDue                         the next one                     when its session shows something else
 *   againAt          readToEnd, more than the run takes        the next one                     then
 *                      (afterRead)
 *   rest             a read in part (afterRead)                withTold                         at once
 *   missedAt         missed                                    a poll watches it (bookmarkOf)   -
 *
 * A bookmark goes a day after `missedAt` (missed), and when polling begins anew (beginCursor). That of an ended job stays in both cases. Besides, what
 * is stored in another shape is not read (storedShape).
 */
import { readKeys, seenKey, writeKeys } from '../../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../../events/eventTypes';
import { settlesAfterSeconds } from '../../sessions/phase';
import { largestOf } from '../../values/collections';
import {
	anyText,
	count,
	optional,
	seconds,
	shaped,
	yesOrNo,
	type Stored,
} from '../../values/storedShape';
import { daySeconds, type Seconds } from '../../values/units';
import { isPaused, troubleAt, troubleShape } from '../backOff';
import type { Polled, Watch, WatchRead } from './watch';

export const bookmarkShape = {
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
	/** It could not be read, or was cut short. Absent: it could when it was last tried. */
	trouble: optional(shaped(troubleShape)),
	/** What its session showed of it when it was last read. */
	shown: optional(anyText),
	/** When it is read again, whatever its session shows. */
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
			/** Who stayed away was told for the pages read so far. */
			hasToldAbsent: optional(yesOrNo),
		}),
	),
	/** When a poll first missed the list. Absent: the last one watched it. */
	missedAt: optional(seconds),
};

export type Bookmark = Readonly<Stored<typeof bookmarkShape>>;

/**
 * Supposed: a record may show up in its list so long after its event, and a list may be so long behind the counts of its session: a list is read
 * again from so long before, and a second time so long after a change. Otherwise what shows up late would never be told.
 */
export const mostListedLateSeconds = 600;

/** A list that has failed is tried again within the hour. */
const longestPauseSeconds = 3_600;

/** What polling knew before it saw a list. */
interface Beginning {
	/** Nothing that happened before starts a run. */
	startedAt: Seconds;
	/** When it last looked which lists there are. */
	lookedAt: Seconds;
}

/** The bookmark of a list that a poll watches. */
export function bookmarkOf(
	stored: Bookmark | undefined,
	watch: Watch,
	beginning: Beginning,
): Bookmark {
	return stored ? { ...stored, missedAt: undefined } : begun(watch, beginning);
}

/** From when on what a new list shows is news: not what was there before polling began, nor what came long enough before it last looked to be listed then. */
function begun({ emptyUntil = -Infinity }: Watch, { startedAt, lookedAt }: Beginning): Bookmark {
	const seenUntil = Math.max(startedAt, lookedAt - mostListedLateSeconds);
	const noKeys = { timedKeys: '', untimedKeys: '' };
	// Nothing was in it when polling began, or last looked: all that it shows has come since, whatever its time is after the beginning.
	if (emptyUntil >= seenUntil) return { ...noKeys, sinceAt: startedAt, isOldKnown: true };
	return { ...noKeys, sinceAt: seenUntil, isOldKnown: false };
}

/** The read of a list that is due; undefined where nothing is to be read. */
export function dueRead(
	before: Bookmark,
	watch: Watch,
	nowSeconds: Seconds,
): WatchRead | undefined {
	const { rest, isOldKnown, sinceAt, readAt, trouble, againAt } = before;
	if (watch.hasNothingToTell) return undefined;
	if (rest) return { firstPage: rest.page, sinceAt: rest.sinceAt, recordsBefore: rest.records };
	if (isEndedJob(watch.path, before)) return undefined;
	const hasChanged = watch.shown === undefined || watch.shown !== before.shown;
	const isUnchanged = !hasChanged && (againAt ?? Infinity) > nowSeconds;
	// One person may have left when another one came. A list that was never read counts as read where its bookmark begins.
	const isDayOld = nowSeconds - (readAt ?? sinceAt) >= daySeconds;
	if (isUnchanged && trouble === undefined && !isDayOld) return undefined;
	const isKnown = isOldKnown === true && readAt !== undefined;
	const mayFilter = watch.filter === 'always' || (watch.filter === 'known' && isKnown);
	// Attendance needs all of it: who stayed away has not changed, and having come may not count as a change.
	if (!mayFilter || watch.endedAt !== undefined) return { firstPage: 0, isUnchanged };
	// Where polling begins at this moment, nothing has come since.
	if (readAt === undefined && sinceAt >= nowSeconds) return undefined;
	const since = readAt === undefined ? sinceAt : Math.max(sinceAt, readAt - mostListedLateSeconds);
	return { firstPage: 0, sinceAt: since, isUnchanged };
}

/** Whether a list that could not be read is not tried again yet. One that fails for good would cost a request in each poll. */
export function mustWait({ trouble }: Bookmark, nowSeconds: Seconds): boolean {
	return isPaused(trouble, longestPauseSeconds, nowSeconds);
}

/** When it was last tried. Of several lists, the one that was tried longest ago is read first. */
export function lastTriedAt({ trouble, readAt }: Bookmark): Seconds | undefined {
	return trouble?.triedAt ?? readAt;
}

export function notDue(before: Bookmark, { shown }: Watch): Bookmark {
	return { ...before, shown };
}

export function failed(before: Bookmark, nowSeconds: Seconds): Bookmark {
	return { ...before, trouble: troubleAt(nowSeconds, before.trouble) };
}

/**
 * It was not read to its end for want of time, or of room in the run. That is no failure, so that it does not wait; but the next poll reads others first.
 * What failed before begins its pauses anew.
 */
export function cutShort(before: Bookmark, nowSeconds: Seconds): Bookmark {
	return { ...before, trouble: troubleAt(nowSeconds) };
}

/** Undefined where the list was missed for a day. */
export function missed(path: string, before: Bookmark, nowSeconds: Seconds): Bookmark | undefined {
	if (isEndedJob(path, before)) return before;
	const { missedAt = nowSeconds } = before;
	return nowSeconds - missedAt < daySeconds ? { ...before, missedAt } : undefined;
}

/** The bookmark once all events but those that are left over have started a run. */
export function afterRead(
	before: Bookmark,
	polled: Polled,
	leftOver: ReadonlySet<ListedEvent>,
	nowSeconds: Seconds,
): Bookmark {
	const { read, records, listed, tellsAbsent } = polled;
	const told = listed.filter((event) => !leftOver.has(event));
	const hasLeft = told.length < listed.length;
	const next = withTold(before, polled, told, nowSeconds);
	// What the run had no room for may stand on each page that this poll has read, so the next poll begins where this one began. At page 0 that is a
	// new read, which is due at once. At a later page the rest stays where it was: earlier polls have read the pages before it.
	const unread = cutShort(next, nowSeconds);
	if (hasLeft && read.firstPage === 0) return { ...unread, againAt: nowSeconds };
	const page = hasLeft ? read.firstPage : restPageOf(polled);
	const beganAt = before.rest?.beganAt ?? nowSeconds;
	if (page === undefined) return readToEnd(next, polled, beganAt, nowSeconds);
	const { sinceAt } = read;
	return { ...unread, rest: { page, records, sinceAt, beganAt, hasToldAbsent: tellsAbsent } };
}

/** The page from which on the list is still to be read; undefined where it was read to its end. */
function restPageOf({ read: { firstPage }, end }: Polled): number | undefined {
	if (end === 'reached') return undefined;
	// The list may become shorter until the next poll, so that the last page is read again; but each poll gets a page further.
	return Math.max(firstPage + 1, end.restPage - 1);
}

/** `sinceAt` follows the times of what was told, once the list was read from end to end: it is in any order. */
function withTold(
	before: Bookmark,
	{ read, end, isPart }: Polled,
	told: readonly ListedEvent[],
	nowSeconds: Seconds,
): Bookmark {
	const timed = told.filter(({ isUntimed }) => !isUntimed);
	const untimed = told.filter(({ isUntimed }) => isUntimed);
	// A bookmark at a time to come would leave out all that happens until then.
	const times = timed.flatMap(({ happenedAtSeconds: at = 0 }) => (at <= nowSeconds ? at : []));
	const lateTimes = times.map((at) => at - mostListedLateSeconds);
	const isAll = end === 'reached' && !isPart;
	const sinceAt = largestOf([before.sinceAt, ...(isAll ? lateTimes : [])]);
	const keys = timed.filter((event) => hasHappenedSince(event, sinceAt)).map(seenKey);
	// The keys from before may go where this read has shown every event from the new `sinceAt` on. Otherwise one that it has not shown would be told
	// again.
	const mayShowMore =
		sinceAt === before.sinceAt || (read.sinceAt !== undefined && read.sinceAt > sinceAt);
	const keysBefore = mayShowMore ? readKeys(before.timedKeys) : [];
	return {
		...before,
		sinceAt,
		timedKeys: writeKeys([...keysBefore, ...keys]),
		untimedKeys: writeKeys([...readKeys(before.untimedKeys), ...untimed.map(seenKey)]),
		isOldKnown: before.isOldKnown || (end === 'reached' && read.sinceAt === undefined),
		trouble: undefined,
		rest: undefined,
	};
}

/** The list was read to its end. */
function readToEnd(
	before: Bookmark,
	polled: Polled,
	// Somebody who came while the list was read may stand on a page that was read before.
	readAt: Seconds,
	nowSeconds: Seconds,
): Bookmark {
	const { shown } = polled.watch;
	const hasToldAbsent = before.hasToldAbsent || polled.tellsAbsent;
	const againAt = againAtOf(before, polled, nowSeconds);
	return { ...before, hasToldAbsent, shown, readAt, againAt };
}

/** It is read again ten minutes after a change, and until attendance has settled. */
function againAtOf(
	before: Bookmark,
	{ watch, news, tellsAbsent }: Polled,
	nowSeconds: Seconds,
): Seconds | undefined {
	const { shown, hasToldAbsent } = before;
	const { endedAt } = watch;
	const waits = endedAt !== undefined && !hasToldAbsent && !tellsAbsent;
	const hasChanged = watch.shown !== shown || news.some(({ attendance }) => attendance === 'came');
	// Where the session shows nothing of the list, each poll reads it anyway. A time then only keeps the session in view (isUnfinished), which is needed until
	// attendance has settled.
	if (hasChanged && (watch.shown !== undefined || waits)) return nowSeconds + mostListedLateSeconds;
	return waits ? endedAt + settlesAfterSeconds : undefined;
}

/**
 * A job that people have named, and that has ended. It shows its event only then, so that a key says it. It stays so: it is not asked for again, and
 * its bookmark is kept whatever else is forgotten.
 */
export function isEndedJob(path: string, { untimedKeys }: Bookmark): boolean {
	return path.startsWith('/jobs/') && untimedKeys !== '';
}

/*
 * When a poll is over, something may be left. Who asks:
 *
 *   isUnfinished   the next poll: the list is read again, if only to make sure that nothing is missing. Its session stays in view until then
 *   hasUntold      a gap of webhooks, which stays open: something in the list that has happened may not have started a run
 *   hasMore        the allowance: the time was over, or the run was full, so that the next poll goes on sooner. A field of the cursor
 */

/** Something of the list is still to be read, however long ago its session has ended. */
export function isUnfinished(next: Bookmark, { shown, hasNothingToTell }: Watch): boolean {
	if (hasNothingToTell) return false;
	return next.rest !== undefined || next.againAt !== undefined || shown !== next.shown;
}

export function hasUntold(next: Bookmark, { endedAt, shown, hasNothingToTell }: Watch): boolean {
	if (hasNothingToTell) return false;
	const isOpen = endedAt !== undefined && next.hasToldAbsent !== true;
	const isUnread = next.trouble !== undefined || next.rest !== undefined;
	return isUnread || shown !== next.shown || isOpen;
}
