import { readKeys, seenKey } from '../events/delivery';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
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
	const seenKeys = readKeys(bookmark.seen);
	const news = listed.filter(
		(event) =>
			hasHappenedSince(event, bookmark.sinceAt) &&
			!seenKeys.has(seenKey(event)) &&
			!isDelivered(event),
	);
	return { listed, news };
}

/** Orders events by their time, the oldest first. An event whose time the platform does not tell counts as the oldest. */
export function compareHappened(first: ListedEvent, second: ListedEvent): number {
	return compareTimes(first.happenedAtSeconds, second.happenedAtSeconds);
}

/** Orders times, the earliest first. An absent time comes before all others: something has never been done, or nobody knows when. */
export function compareTimes(first: number | undefined, second: number | undefined): number {
	if (first === undefined) return second === undefined ? 0 : -1;
	return second === undefined ? 1 : first - second;
}
