import type { Api, Ask, Clock } from '../http/ports';

/** What a run has cost, or would. */
export interface Cost {
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** Without those that were repeated below the run. */
	requestsBySession: ReadonlyMap<string, number>;
	seconds: number;
}

/** Counts what a run costs, and ends its requests when its time is over. */
export class Meter {
	/** Infinity where nobody waits. */
	readonly deadline: number;
	private readonly startedAt: number;
	private readonly requestsBefore: number;
	private readonly requestsBySession = new Map<string, number>();

	constructor(
		private readonly parts: { api: Api; clock: Clock },
		maxWaitSeconds: number,
	) {
		this.startedAt = parts.clock.now();
		this.requestsBefore = parts.api.usage.requests;
		this.deadline = this.startedAt + maxWaitSeconds * 1_000;
	}

	/** The api, as far as one session uses it. */
	askFor(sessionId: string): Ask {
		const { requestsBySession, deadline, parts } = this;
		return (request) => {
			requestsBySession.set(sessionId, (requestsBySession.get(sessionId) ?? 0) + 1);
			return parts.api(deadline < Infinity ? { ...request, deadline } : request);
		};
	}

	spent(): Cost {
		const { requestsBySession, requestsBefore, startedAt, parts } = this;
		return {
			requests: parts.api.usage.requests - requestsBefore,
			requestsBySession,
			seconds: Math.round((parts.clock.now() - startedAt) / 100) / 10,
		};
	}
}
