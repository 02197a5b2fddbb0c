import type { Clock } from './clock';

/** Work runs for this long at most before other work has its turn, because JavaScript does one thing at a time. */
const longestTurnMs = 20;

/** Lets everything else in the process run, where the work has taken long enough. */
export type YieldIfDue = () => Promise<void>;

/**
 * Gives a function to call between the parts of long work that waits for nothing by itself. The function lets everything else in the
 * process run once the work has taken long enough, and returns at once otherwise.
 */
export function createYielder(clock: Clock, signal?: AbortSignal): YieldIfDue {
	let turnBeganAt = clock.now();
	return async () => {
		if (clock.now() - turnBeganAt < longestTurnMs) return;
		await clock.sleep(1, signal);
		turnBeganAt = clock.now();
	};
}
