import { readKeys, seenKey } from '../events/delivery';
import type { ListedEvent } from '../events/eventTypes';
import type { TimedBookmark } from './cursor';

/** A list that a poll has read. */
export interface PolledList {
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
): PolledList {
	const seen = readKeys(bookmark.seen);
	const news = listed.filter(
		(event) => event.at >= bookmark.sinceAt && !seen.has(seenKey(event)) && !isDelivered(event),
	);
	return { listed, news };
}
