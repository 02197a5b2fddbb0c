import { groupBy, upTo } from '../values/collections';
import type { Outcome } from '../people/outcome';
import type { Row, TaskVariant } from '../people/registration';
import type { QueuedRequest } from './pace';

/** A person to register, from the row that came in to what became of the person. */
export interface Candidate {
	readonly row: Row;
	/** The number of the row in the list, counted from 1, as people read it. */
	readonly rowNumber: number;
	/** The earlier candidate who is the same person. Absent: no earlier row has the person. */
	first?: Candidate;
	/** The address by which the person is found in results and lists. */
	readonly address: string;
	/** What became of the person, as `decide` wrote it. Absent: nothing is known yet. */
	outcome?: Outcome;
}

/**
 * Writes what became of people. The first outcome of a person stays, unless the list of registered people shows another one, because
 * it is asked when all results are known.
 */
export function decide(
	people: readonly Candidate[],
	outcome: Outcome,
	source: 'run' | 'list' = 'run',
): void {
	for (const person of people) {
		if (source === 'list' || !person.outcome) person.outcome = outcome;
	}
}

/** People of one session who are sent in one request. */
export interface Batch {
	readonly sessionId: string;
	readonly people: readonly Candidate[];
}

/** Section 8 allows no more people in one request. */
const mostTasksInBatch = 50;

/** Divides people into batches of one session each that are as large as section 8 allows. */
export function divideIntoBatches(candidates: readonly Candidate[]): Batch[] {
	const bySession = groupBy(candidates, ({ row }) => row.sessionId);
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasksInBatch)).map((nth) => {
			const people = members.slice((nth - 1) * mostTasksInBatch, nth * mostTasksInBatch);
			return { sessionId, people };
		}),
	);
}

/** Some people of one session on their way to the platform, with what came of it so far. */
export interface PendingBatch extends Batch, QueuedRequest {
	/** The number of attempts in a row that have failed. */
	readonly failedAttempts?: number;
	/** When the first attempt left whose response got lost. The platform may have acted on it. Absent: no response got lost. */
	readonly lostAt?: number;
	/** The variants in which these people were sent, the last one at the end. Absent: they were not sent yet. */
	readonly variants?: readonly TaskVariant[];
}
