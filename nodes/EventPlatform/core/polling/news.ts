import { readKeys, seenKey } from '../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
import type { Bookmark } from './cursor';
import type { Round } from './pollContext';

/**
 * Makes a function that tells whether an event of a list is news, which has to start a run: its time is from `sinceAt` on and its key not
 * known, or no time tells and its key was not there before.
 */
export function makeNewsTest(
	{ cursor, search, nowSeconds }: Round,
	{ timedKeys, untimedKeys, sinceAt, isOldKnown, isSettled, readAt }: Bookmark,
): (event: ListedEvent) => boolean {
	const keys = new Set([...readKeys(timedKeys), ...readKeys(untimedKeys)]);
	// Where the list was never read to its end, some of it may have been there before.
	const untimedSinceAt = readAt === undefined ? sinceAt : cursor.startedAt;
	const isAnyNew = isOldKnown === true && (search.startFrom ?? 0) <= nowSeconds;
	return (event) => {
		if (isSettled && event.attendance === 'stayedAway') return false;
		if (keys.has(seenKey(event)) || search.isDelivered?.(event)) return false;
		if (!event.isUntimed) return hasHappenedSince(event, sinceAt);
		return hasHappenedSince(event, untimedSinceAt) || (isAnyNew && event.attendance === undefined);
	};
}
