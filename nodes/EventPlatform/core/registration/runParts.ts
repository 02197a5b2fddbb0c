import type { Client, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { type RecordView, collectingView, type CollectingView } from '../records/recordView';
import type { SessionCache } from '../sessions/sessionCache';

/** The things that every run works with, whether bulk registration or Sync has started it. */
export interface RunParts {
	/** Sends the requests of the run. */
	readonly api: Client;
	/** The address of the platform. The people of each job are remembered under it, for triggers that hear of the job. Absent: they are not remembered. */
	readonly apiRoot?: string;
	/** Tells the time, and waits. */
	readonly clock: Clock;
	/** Aborted when the run is cancelled. Absent: it cannot be. */
	readonly signal?: AbortSignal;
	/** The sessions that this execution has read. */
	readonly sessions: SessionCache;
	/** The part of each person's record that is kept. Absent: all of it is kept. */
	readonly view?: RecordView;
	/** Writes into the log, from time to time, how far the run is. */
	readonly log?: (message: string) => void;
}

/** The options of a run. */
export interface RunOptions {
	/** Whether the run waits for the results of its jobs. Otherwise it ends when everything is sent. */
	needsResults: boolean;
	/** The longest time for which the run waits for results, counted from its start. */
	maxWaitSeconds: number;
	/** Whether batches that were refused are divided until each bad row is alone in a batch. */
	mayDivide: boolean;
	/**
	 * The facts that are looked for where the results do not have them. `records`: the records of people who were registered before
	 * the run, where one request for their session can bring them. `joinLinks`: the personal links of everybody. Absent: nothing is
	 * looked for.
	 */
	brings?: 'records' | 'joinLinks';
}

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

/** The totals that add up in the course of a run. Sync has its own, and hands it to the bulk run that is a part of it. */
export interface RunTotals {
	/** The meter that counts the requests, and ends them when the time is over. */
	readonly meter: Meter;
	/** The view that decides which part of people's records is kept, and collects all columns that they had. */
	readonly view: CollectingView;
}

/** Begins the totals of a run. `maxSeconds`: the longest time for the run; absent where nobody waits for its end. */
export function beginTotals(
	parts: Pick<RunParts, 'api' | 'clock' | 'view'>,
	maxSeconds?: number,
): RunTotals {
	return { meter: createMeter(parts, maxSeconds), view: collectingView(parts.view) };
}
