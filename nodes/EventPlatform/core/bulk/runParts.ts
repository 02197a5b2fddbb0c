import type { Client } from '../client/request';
import type { Clock } from '../client/clock';
import type { RecordView } from '../records/recordView';
import type { SessionCache } from '../sessions/sessionCache';
import type { Mechanism } from './mechanism';

/** The things that every run works with, whether bulk registration or Sync has started it. */
export interface RunParts {
	/** Sends the requests of the run. */
	readonly api: Client;
	/** The address of the platform. Whom the run sends there is remembered for triggers that hear of its jobs. Absent: it is not. */
	readonly apiRoot?: string;
	/** Tells the time, and waits. */
	readonly clock: Clock;
	/** Aborted when the run is cancelled. Absent: it cannot be. */
	readonly signal?: AbortSignal;
	/** The sessions that were read. Absent: nobody knows their names, and every event counts as one that keeps emails. */
	readonly sessions?: SessionCache;
	/** The part of the record of a person that is kept. Absent: all of it. */
	readonly view?: RecordView;
	/** Hears from time to time how far the run is. */
	readonly log?: (message: string) => void;
}

export interface RunOptions {
	/** Whether the run waits for the results of its jobs. Else it ends when everything is sent. */
	needsResults: boolean;
	/** How long the run waits for results, counted from its start. */
	maxWaitSeconds: number;
	/** Whether batches that were refused are divided until the bad rows stand alone. */
	mayDivide: boolean;
	/**
	 * The fact that is looked for where the results of people do not have it: the record of those who were registered before, where one request
	 * for their session can bring it, or the personal link of everybody. Absent: nothing.
	 */
	brings?: 'records' | 'joinLinks';
	/** The mechanism that a benchmark takes away from the run. Absent: the run has all of them. */
	without?: Mechanism;
}
