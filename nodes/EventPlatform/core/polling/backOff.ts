/*
 * What fails is tried again by one rule: the list of the sessions to come and reminders (schedule.ts), and each list that has a bookmark
 * (bookmark.ts). Tried in each poll, a list alone would cost 240 requests in an outage of four hours,
 * where polling has no limit. Without the list of the sessions in view
 * a poll knows no other list, so that one does not wait.
 */
import { seconds, type Stored } from '../values/storedShape';
import type { Seconds } from '../values/units';

/** Since when something fails, and when it was last tried. */
export const troubleShape = { sinceAt: seconds, triedAt: seconds };

export type Trouble = Stored<typeof troubleShape>;

export function troubleAt(nowSeconds: Seconds, before?: Trouble): Trouble {
	// It may have begun at a time that is still to come (isPaused).
	return { sinceAt: Math.min(before?.sinceAt ?? nowSeconds, nowSeconds), triedAt: nowSeconds };
}

/** It waits as long as the trouble had lasted when it was last tried, and `mostSeconds` at most. */
export function isPaused(
	trouble: Trouble | undefined,
	mostSeconds: Seconds,
	nowSeconds: Seconds,
): boolean {
	// Where our clock was set ahead, what got no response was noted at a time that is still to come.
	if (trouble === undefined || trouble.triedAt > nowSeconds) return false;
	const { sinceAt, triedAt } = trouble;
	return nowSeconds < triedAt + Math.min(triedAt - sinceAt, mostSeconds);
}
