import type { Ask } from '../client/request';
import type { RunParts } from './runContext';

/** What a run has cost, or would. */
export interface Cost {
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** The session of each, without those that were repeated below the run. */
	sessionOfEach: readonly string[];
	seconds: number;
}

export type Meter = ReturnType<typeof createMeter>;

/** Counts what a run costs, and ends its requests when its time is over; `Infinity` where nobody waits. */
export function createMeter({ api, clock }: Pick<RunParts, 'api' | 'clock'>, maxSeconds: number) {
	const startedAt = clock.now();
	const deadline = startedAt + maxSeconds * 1_000;
	const requestsBefore = api.usage.requests;
	const sessionOfEach: string[] = [];
	return {
		deadline,
		/** The api, as far as one session uses it. */
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
