import type { Reason } from '../jobs/taskResult';
import type { JsonObject } from '../http/ports';

/** Someone to register, as the input has it. */
export interface Candidate {
	sessionId: string;
	/** Trimmed, otherwise as given. */
	email?: string;
	/** Section 2.2: `fields` and where the person came from. */
	task: JsonObject;
	/** Why this person cannot be sent, in words for people. */
	problems: readonly string[];
}

export type Status =
	'registered' | 'already_registered' | 'failed' | 'invalid' | 'duplicate' | 'unknown';

/** What became of one person. */
export interface Outcome {
	status: Status;
	jobId?: string;
	/** The simplified record. */
	person?: JsonObject;
	errors: readonly Reason[];
}

/** The job and its people, by their place in the input. */
export interface SentJob {
	id: string;
	sessionId: string;
	people: readonly number[];
	/** Section 3.1, as last seen or as its results say. */
	status: string;
	processed: number;
	succeeded: number;
	failed: number;
}
