import { readKeys, seenKey, writeKeys } from '../events/delivery';
import type { ListedEvent } from '../events/eventTypes';
import { latestSeconds, type TimedBookmark } from './cursor';

/** The events that a list shows, and those of them that have not started a run yet. */
export interface ListReading {
	shown: ListedEvent[];
	news: ListedEvent[];
}

/** Events of a list whose records tell when they happened. */
export function findTimedNews(
	shown: ListedEvent[],
	bookmark: TimedBookmark,
	wasDelivered: (event: ListedEvent) => boolean = () => false,
): ListReading {
	const seen = readKeys(bookmark.seen);
	const news = shown.filter(
		(event) => event.at >= bookmark.sinceAt && !seen.has(seenKey(event)) && !wasDelivered(event),
	);
	return { shown, news };
}

/** How far a bookmark may move. */
interface Reach {
	/** The time by the platform's clock, beyond which no record can tell anything. */
	now: number;
	/** It moves no further than this, because some of the list is shown late. */
	mostAt?: number;
	/** The list was only asked for what has changed since then. */
	shownSinceAt?: number;
}

/**
 * The bookmark when these have started a run. It moves with the times of the records alone, so that no clock that is
 * wrong leaves anything out.
 */
export function moveBookmark(
	bookmark: TimedBookmark,
	started: readonly ListedEvent[],
	{ now, mostAt = now, shownSinceAt = 0 }: Reach,
): TimedBookmark {
	// A time to come would leave out all that happens until then.
	const past = started.filter(({ at }) => at <= now);
	const latestAt = past.reduce((latest, { at }) => Math.max(latest, at), 0);
	const sinceAt = Math.max(bookmark.sinceAt, Math.min(latestAt, mostAt) - latestSeconds);
	const keys = started.filter(({ at }) => at >= sinceAt).map(seenKey);
	// An event that was not shown this time may still have happened after `sinceAt`.
	const mayShowMore = sinceAt === bookmark.sinceAt || shownSinceAt > sinceAt;
	return { sinceAt, seen: writeKeys([...(mayShowMore ? readKeys(bookmark.seen) : []), ...keys]) };
}
