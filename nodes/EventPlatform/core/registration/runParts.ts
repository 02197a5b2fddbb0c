import type { Client, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { type RecordView, collectingView, type CollectingView } from '../records/recordView';
import type { SessionCache } from '../sessions/sessionCache';

export interface RunParts {
	readonly api: Client;
	/** The address of the platform. The people of each job are remembered under it, for triggers that hear of the job. Absent: they are not remembered. */
	readonly apiRoot?: string;
	readonly clock: Clock;
	readonly signal?: AbortSignal;
	readonly sessions: SessionCache;
	readonly view?: RecordView;
	readonly log?: (message: string) => void;
}

export interface RunOptions {
	needsResults: boolean;
	maxWaitSeconds: number;
	mayDivide: boolean;
	/** Whether personal links are looked for where the results do not have them. */
	bringsJoinLinks?: boolean;
}

export interface Cost {
	requests: number;
	/** The id of the session of each request. A request that the client repeats by itself stands here only once. */
	sessionOfEach: readonly string[];
	seconds: number;
}

export interface Meter {
	/** When the time of the run is over, in milliseconds by our clock. Absent: nobody waits for its end. */
	readonly deadlineAt?: number;
	askFor(sessionId: string): Ask;
	spent(): Cost;
}

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

export interface RunTotals {
	readonly meter: Meter;
	readonly view: CollectingView;
}

export function beginTotals(
	parts: Pick<RunParts, 'api' | 'clock' | 'view'>,
	maxSeconds?: number,
): RunTotals {
	return { meter: createMeter(parts, maxSeconds), view: collectingView(parts.view) };
}
