import type { Client } from '../client/request';
import type { Clock } from '../client/clock';
import type { RecordView } from '../records/recordView';
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
