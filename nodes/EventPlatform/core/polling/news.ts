import { readKeys, seenKey } from '../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
import type { Bookmark } from './cursor';
import type { Round } from './round';

/** Makes a function that tells whether an event of a list has to start a run. */
export function makeNewsTest(
	{ cursor, search }: Round,
	{ seen, kept, sinceAt, isWhole, isSettled }: Bookmark,
): (event: ListedEvent) => boolean {
	const keys = new Set([...readKeys(seen), ...readKeys(kept)]);
	// Where the list was never read, some of it may have been there before the trigger began.
	const untimedSinceAt = kept === undefined ? sinceAt : cursor.startedAt;
	return (event) => {
		if (isSettled && event.attendance === 'stayedAway') return false;
		if (keys.has(seenKey(event)) || search.isDelivered?.(event)) return false;
		if (!event.isUntimed) return hasHappenedSince(event, sinceAt);
		return (
			hasHappenedSince(event, untimedSinceAt) ||
			(isWhole === true && event.attendance === undefined)
		);
	};
}
