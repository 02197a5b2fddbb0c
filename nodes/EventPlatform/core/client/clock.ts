import type { Ms } from '../values/units';

export interface Clock {
	now(): Ms;
	/** Resolves after `ms`, at once where that is not more than 0, or throws `Cancelled` within a second of the signal. */
	sleep(ms: Ms, signal?: AbortSignal): Promise<void>;
}

export class Cancelled extends Error {
	override readonly name = 'Cancelled';
	constructor() {
		super('The run was cancelled');
	}
}

/** The run was cancelled while a request waited for its turn, or to be sent again: this attempt has not left. */
export class CancelledBeforeSending extends Cancelled {}

/** Work runs for this long at most before other work has its turn, because JavaScript does one thing at a time. */
const longestTurnMs = 20;

export type YieldIfDue = () => Promise<void>;

/**
 * Long work that waits for nothing by itself calls the function between its parts. The function lets everything else in the process
 * run once the work has taken long enough, and returns at once otherwise.
 */
export function createYielder(clock: Clock, signal?: AbortSignal): YieldIfDue {
	let turnBeganAt = clock.now();
	return async () => {
		if (clock.now() - turnBeganAt < longestTurnMs) return;
		await clock.sleep(1, signal);
		turnBeganAt = clock.now();
	};
}
