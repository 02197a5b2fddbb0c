import { readKeys, seenKey, writeKeys } from '../events/delivery';
import type { ListedEvent } from '../events/eventTypes';
import { mostListedLateSeconds, type TimedBookmark } from './cursor';

/** A list as a poll has read it. */
export interface ListReading {
	/** All events that the list shows. */
	listed: ListedEvent[];
	/** The events that have to start a run. */
	news: ListedEvent[];
}

/** Finds the news among the events of a list whose records tell when they happened. */
export function findTimedNews(
	listed: ListedEvent[],
	bookmark: TimedBookmark,
	isDelivered: (event: ListedEvent) => boolean = () => false,
): ListReading {
	const seen = readKeys(bookmark.seen);
	const news = listed.filter(
		(event) => event.at >= bookmark.sinceAt && !seen.has(seenKey(event)) && !isDelivered(event),
	);
	return { listed, news };
}

/** How far a bookmark may move. */
interface Reach {
	/** The time by the platform's clock. No record tells of anything later. */
	now: number;
	/** The bookmark moves no further, because some records are listed late. */
	notBeyondAt?: number;
	/** Only records that have changed since then were listed. Absent: all of them were. */
	listedSinceAt?: number;
}

/**
 * Moves a bookmark when these events have started a run. It moves by the times of the records alone, so that a wrong clock
 * leaves nothing out.
 */
export function moveBookmark(
	bookmark: TimedBookmark,
	started: readonly ListedEvent[],
	{ now, notBeyondAt = now, listedSinceAt = 0 }: Reach,
): TimedBookmark {
	// A bookmark at a time to come would leave out all that happens until then.
	const past = started.filter(({ at }) => at <= now);
	const latestAt = past.reduce((latest, { at }) => Math.max(latest, at), 0);
	const sinceAt = Math.max(
		bookmark.sinceAt,
		Math.min(latestAt, notBeyondAt) - mostListedLateSeconds,
	);
	const startedKeys = started.filter(({ at }) => at >= sinceAt).map(seenKey);
	// An event that was not listed this time may still have happened after `sinceAt`.
	const mayShowMore = sinceAt === bookmark.sinceAt || listedSinceAt > sinceAt;
	return {
		sinceAt,
		seen: writeKeys([...(mayShowMore ? readKeys(bookmark.seen) : []), ...startedKeys]),
	};
}
