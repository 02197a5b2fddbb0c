import type { Ask } from '../client/request';
import type { RunParts } from './runContext';

/** The cost of a run, real or forecast. */
export interface Cost {
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** The session of each, without those that were repeated below the run. */
	sessionOfEach: readonly string[];
	seconds: number;
}

/** Counts the requests of a run, and ends them when its time is over. */
export interface Meter {
	/** When the time of the run is over, by our clock; `Infinity` where nobody waits. */
	readonly deadline: number;
	/** Gives the api, as far as one session uses it. */
	askFor(sessionId: string): Ask;
	/** Gives what the run has cost so far. */
	spent(): Cost;
}

/** `maxSeconds`: `Infinity` where nobody waits. */
export function createMeter(
	{ api, clock }: Pick<RunParts, 'api' | 'clock'>,
	maxSeconds: number,
): Meter {
	const startedAt = clock.now();
	const deadline = startedAt + maxSeconds * 1_000;
	const requestsBefore = api.usage.requests;
	const sessionOfEach: string[] = [];
	return {
		deadline,
		askFor(sessionId: string): Ask {
			return (request) => {
				sessionOfEach.push(sessionId);
				return api(deadline < Infinity ? { ...request, deadlineAtMs: deadline } : request);
			};
		},
		spent(): Cost {
			const requests = api.usage.requests - requestsBefore;
			const seconds = Math.round((clock.now() - startedAt) / 100) / 10;
			return { requests, sessionOfEach, seconds };
		},
	};
}
