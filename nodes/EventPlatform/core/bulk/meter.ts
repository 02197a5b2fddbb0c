import type { Ask } from '../client/request';
import type { RunParts } from './runParts';

/** The cost of a run, real or forecast. */
export interface Cost {
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** The session of each request. A repetition below the run stands here only once. */
	sessionOfEach: readonly string[];
	/** How long the run took, or would take. */
	seconds: number;
}

/** Counts the requests of a run, and ends them when its time is over. */
export interface Meter {
	/** When the time of the run is over, in milliseconds by our clock; absent where nobody waits for its end. */
	readonly deadlineAt?: number;
	/** Gives the api, as far as one session uses it. */
	askFor(sessionId: string): Ask;
	/** Gives what the run has cost so far. */
	spent(): Cost;
}

/** `maxSeconds`: absent where nobody waits for the end of the run. */
export function createMeter(
	{ api, clock }: Pick<RunParts, 'api' | 'clock'>,
	maxSeconds?: number,
): Meter {
	const startedAt = clock.now();
	const deadlineAt = maxSeconds === undefined ? undefined : startedAt + maxSeconds * 1_000;
	const requestsBefore = api.usage.requests;
	const sessionOfEach: string[] = [];
	return {
		deadlineAt,
		askFor(sessionId: string): Ask {
			return (request) => {
				sessionOfEach.push(sessionId);
				return api(deadlineAt === undefined ? request : { ...request, deadlineAtMs: deadlineAt });
			};
		},
		spent(): Cost {
			const requests = api.usage.requests - requestsBefore;
			const seconds = Math.round((clock.now() - startedAt) / 100) / 10;
			return { requests, sessionOfEach, seconds };
		},
	};
}
