import { groupBy, upTo } from '../values/collections';
import type { Outcome } from '../people/outcome';
import type { Row, TaskVariant } from '../people/registration';
import type { QueuedRequest } from './pace';

/** A person to register, from the row that came in to what became of the person. */
export interface Candidate<R extends Row = Row> {
	readonly row: R;
	/** The address by which the person is found in results and lists. */
	readonly address: string;
	/** What became of the person. Absent: nothing is known yet. */
	outcome?: Outcome;
}

/** Makes the candidate of a row. `outcome`: why the person is not sent. */
export function candidateOf<R extends Row>(row: R, outcome?: Outcome): Candidate<R> {
	return { row, address: row.address, outcome };
}

/** Gives people an outcome who have none yet. */
export function decide(people: readonly Candidate[], outcome: Outcome): void {
	for (const person of people) person.outcome ??= outcome;
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
