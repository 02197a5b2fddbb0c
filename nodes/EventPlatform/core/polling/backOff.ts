/*
 * Where one word of the platform is not believed, and where something fails, it is tried again by one rule:
 * the schedule and its reminders (schedule.ts), a list that fails or is missing, and
 * a job that is not known (bookmark.ts). Supposed: a gateway has said that word for the platform. Believed, it would end reminders,
 * attendance or a job without a word to anybody.
 */
import type { Seconds } from '../values/units';

/** What fails or is refused, since when, and when it was last tried. */
interface Trouble {
	sinceAt: Seconds;
	triedAt: Seconds;
}

/** It waits as long as the trouble had lasted when it was last tried, and `mostSeconds` at most. */
export function backOffUntil({ sinceAt, triedAt }: Trouble, mostSeconds: Seconds): Seconds {
	return triedAt + Math.min(triedAt - sinceAt, mostSeconds);
}
