import type { Ask } from '../client/request';
import type { RunParts } from './runParts';

/** The cost of a run, real or forecast. */
export interface Cost {
	/** The number of HTTP requests, repetitions included. */
	requests: number;
	/** The id of the session of each request. A request that the client repeats by itself stands here only once. */
	sessionOfEach: readonly string[];
	/** The time that the run took, or would take. */
	seconds: number;
}

/** Counts the requests of a run, and ends them when its time is over. */
export interface Meter {
	/** When the time of the run is over, in milliseconds by our clock. Absent: nobody waits for its end. */
	readonly deadlineAt?: number;
	/** Gives the function through which requests about one session are sent. */
	askFor(sessionId: string): Ask;
	/** Gives the cost of the run so far. */
	spent(): Cost;
}

/** Makes the meter of a run that begins now. `maxSeconds`: the longest time for the run; absent where nobody waits for its end. */
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
				const { deadlineAtMs = Infinity } = request;
				const isEarlier = deadlineAt !== undefined && deadlineAt < deadlineAtMs;
				return api(isEarlier ? { ...request, deadlineAtMs: deadlineAt } : request);
			};
		},
		spent(): Cost {
			const requests = api.usage.requests - requestsBefore;
			const seconds = Math.round((clock.now() - startedAt) / 100) / 10;
			return { requests, sessionOfEach, seconds };
		},
	};
}
