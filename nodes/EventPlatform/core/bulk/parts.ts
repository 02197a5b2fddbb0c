import type { Api, Ask, Clock, Usage } from '../http/ports';
import type { Show } from '../records/simplify';
import type { SentJob } from './job';
import type { Explain } from './outcome';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
	/** What is shown of a person: nothing else of the record is held. Absent: all of it. */
	show?: Show;
	onJob?: (job: SentJob) => void;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}

/** What a run has cost, or would. */
export interface Cost {
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** Without those that were repeated below the run. */
	requestsBySession: ReadonlyMap<string, number>;
	seconds: number;
}

/** The floor of what it costs to send these requests, beside what was spent before. */
export function costOf(
	toSend: ReadonlyArray<{ sessionId: string }>,
	{ perSecond }: Pick<Usage, 'perSecond'>,
	spent: Cost = { requests: 0, requestsBySession: new Map(), seconds: 0 },
): Cost {
	const requests = spent.requests + toSend.length;
	const requestsBySession = new Map(spent.requestsBySession);
	for (const { sessionId } of toSend) {
		requestsBySession.set(sessionId, (requestsBySession.get(sessionId) ?? 0) + 1);
	}
	return { requests, requestsBySession, seconds: Math.ceil((10 * requests) / perSecond) / 10 };
}

export type Meter = ReturnType<typeof createMeter>;

/** Counts what a run costs, and ends its requests when its time is over; `Infinity` where nobody waits. */
export function createMeter(
	{ api, clock }: Pick<RunParts, 'api' | 'clock'>,
	maxWaitSeconds: number,
) {
	const startedAt = clock.now();
	const deadline = startedAt + maxWaitSeconds * 1_000;
	const requestsBefore = api.usage.requests;
	const requestsBySession = new Map<string, number>();
	return {
		deadline,
		/** The api, as far as one session uses it. */
		askFor(sessionId: string): Ask {
			return (request) => {
				requestsBySession.set(sessionId, (requestsBySession.get(sessionId) ?? 0) + 1);
				return api(deadline < Infinity ? { ...request, deadline } : request);
			};
		},
		spent(): Cost {
			const requests = api.usage.requests - requestsBefore;
			const seconds = Math.round((clock.now() - startedAt) / 100) / 10;
			return { requests, requestsBySession, seconds };
		},
	};
}
