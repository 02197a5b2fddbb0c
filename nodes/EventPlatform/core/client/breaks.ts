import type { Clock } from './clock';

/** JavaScript does one thing at a time: everything else that runs in the process waits for so long at most. */
const longestTurnMs = 20;

/**
 * Gives a function to call between the parts of long work that waits for nothing by itself. It lets everything else run as soon
 * as the work has taken long enough, and is over at once otherwise.
 */
export function createBreaks(clock: Clock, signal?: AbortSignal): () => Promise<void> {
	let turnBeganAt = clock.now();
	return async () => {
		if (clock.now() - turnBeganAt < longestTurnMs) return;
		await clock.sleep(1, signal);
		turnBeganAt = clock.now();
	};
}
