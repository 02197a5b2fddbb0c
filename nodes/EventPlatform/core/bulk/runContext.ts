import type { Client } from '../client/request';
import type { Clock } from '../client/clock';
import type { PersonView } from '../records/personView';
import type { SessionCache } from '../sessions/sessionCache';
import type { Mechanism } from './mechanism';

/** The things that every run works with, whoever started it. */
export interface RunParts {
	readonly api: Client;
	/** Where the platform is: what the run sends there is remembered for whoever asks about its jobs later. Absent: it is not. */
	readonly apiRoot?: string;
	readonly clock: Clock;
	readonly signal?: AbortSignal;
	/** The sessions that were read. Absent: nobody knows their names, and every event counts as one that keeps emails. */
	readonly sessions?: SessionCache;
	/** The part of the record of a person that is kept. Absent: all of it. */
	readonly view?: PersonView;
	/** Hears from time to time how far the run is. */
	readonly log?: (message: string) => void;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
	/** The mechanism that a benchmark takes away from the run. */
	without?: Mechanism;
}
