import { readKeys, seenKey } from '../../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../../events/eventTypes';
import { hasAttendanceSettled } from '../../sessions/phase';
import type { Seconds } from '../../values/units';
import type { Round } from '../pollContext';
import { mostListedLateSeconds, type Bookmark } from './bookmark';
import type { Polled } from './watch';

/*
 * What of a list is news by its bookmark, and so has to start a run. The key must be unknown, and then:
 *
 *   its time tells when it came into the list   it is from `sinceAt` on
 *   no time tells (`isUntimed`)                 one of these holds:
 *                                               - what it is about, such as the end of its session, is from `sinceAt` on
 *                                               - the list was read to its end (`readAt`), and what it is about is from the beginning of polling on
 *                                               - all that was there before has its key among the known ones (`isOldKnown`), so that whatever is
 *                                                 unknown has come since (not of attendance, nor while Start From is still to come)
 *   somebody stayed away                        only once, all of them together (`hasToldAbsent`), when attendance has settled (`withAbsent`)
 */
export function makeNewsTest(
	{ cursor, search, nowSeconds }: Round,
	{ timedKeys, untimedKeys, sinceAt, isOldKnown, hasToldAbsent, readAt }: Bookmark,
): (event: ListedEvent) => boolean {
	const keys = new Set([...readKeys(timedKeys), ...readKeys(untimedKeys)]);
	// Until the list was read to its end, what is older than `sinceAt` may have been there when polling first saw it. After that any time since
	// polling began will do.
	const untimedSinceAt = readAt === undefined ? sinceAt : cursor.startedAt;
	// All that was there before has a known key, so that what has an unknown one has come since. Attendance is different: people who were there
	// before turn out to have come, one after the other. Where polling begins in the future, what comes until then is no news.
	const isUnknownKeyNew = isOldKnown === true && (search.startFrom ?? 0) <= nowSeconds;
	return (event) => {
		// Who is absent from now on has registered for the replay.
		if (hasToldAbsent && event.attendance === 'stayedAway') return false;
		if (keys.has(seenKey(event)) || search.isDelivered?.(event)) return false;
		if (!event.isUntimed) return hasHappenedSince(event, sinceAt);
		return (
			hasHappenedSince(event, untimedSinceAt) || (isUnknownKeyNew && event.attendance === undefined)
		);
	};
}

/**
 * Leaves out who stayed away, unless they are told with this read. They are told once attendance has settled, an hour after the end: with the first
 * read since the end, or with one that shows nobody more who came. Who counts as having stayed away: `attendanceRow` in `eventTypes.ts`.
 */
export function withAbsent(before: Bookmark, polled: Polled, nowSeconds: Seconds): Polled {
	const { watch, read, news } = polled;
	const { endedAt } = watch;
	if (endedAt === undefined || before.hasToldAbsent) return polled;
	// Attendance is complete where one of two reads shows it. The first: nobody read the list between the end and now, which is an hour later.
	const isFirstSinceEnd = before.readAt === undefined || before.readAt < endedAt;
	// The second: the read before was after the end too, and this one shows nobody more who came. A session that has changed since then may be ahead of its
	// list, but not ten minutes after attendance has settled: then it is registrations for the replay that change it.
	const showsAll =
		watch.shown === before.shown ||
		hasAttendanceSettled(endedAt, nowSeconds - mostListedLateSeconds);
	const isAttendanceComplete =
		isFirstSinceEnd || (showsAll && !news.some(({ attendance }) => attendance === 'came'));
	// Who is on the pages before was not told otherwise.
	const isOfAll = read.firstPage === 0 || before.rest?.hasToldAbsent === true;
	if (isAttendanceComplete && isOfAll && hasAttendanceSettled(endedAt, nowSeconds))
		return { ...polled, tellsAbsent: true };
	const isPresent = ({ attendance }: ListedEvent) => attendance !== 'stayedAway';
	return { ...polled, listed: polled.listed.filter(isPresent), news: news.filter(isPresent) };
}

/** Orders events by their time, the oldest first. An event whose time the platform does not tell counts as the oldest. */
export function compareHappened(first: ListedEvent, second: ListedEvent): number {
	return compareTimes(first.happenedAtSeconds, second.happenedAtSeconds);
}

/** Orders times, the earliest first. An absent time comes before all others: something has never been done, or nobody knows when. */
export function compareTimes(first: Seconds | undefined, second: Seconds | undefined): number {
	if (first === undefined) return second === undefined ? 0 : -1;
	return second === undefined ? 1 : first - second;
}
