import type { Outcome } from '../people/outcome';
import type { Row, TaskVariant } from '../people/registration';
import type { QueuedRequest } from './pace';

export interface Candidate {
	readonly row: Row;
	readonly rowNumber: number;
	first?: Candidate;
	/** That of the row. `assign` reads it here, as it does with the people of a job that another run has sent. */
	readonly address: string;
	outcome?: Outcome;
}

/**
 * Writes what became of people. The first outcome of a person stays, unless the list of registered people shows another one, because
 * it is asked when all results are known.
 */
export function setOutcome(
	people: readonly Candidate[],
	outcome: Outcome,
	source: 'run' | 'list' = 'run',
): void {
	for (const person of people) {
		if (source === 'list' || !person.outcome) person.outcome = outcome;
	}
}

export interface Batch {
	readonly sessionId: string;
	readonly people: readonly Candidate[];
}

export interface PendingBatch extends Batch, QueuedRequest {
	readonly failedAttempts?: number;
	/** When the first attempt left whose response got lost. The platform may have acted on it. Absent: no response got lost. */
	readonly lostAt?: number;
	readonly variants?: readonly TaskVariant[];
}
