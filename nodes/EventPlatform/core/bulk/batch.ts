import { groupBy, upTo } from '../values/collections';
import type { Row, TaskVariant } from '../people/registration';
import type { QueuedRequest } from './queue';

/** Section 8 allows no more people in one request. */
const mostTasksInBatch = 50;

/** People of one session that are sent in one request. */
export interface Batch {
	/** The session that they are registered for. */
	readonly sessionId: string;
	/** The indexes of their rows in the plan. */
	readonly indexes: readonly number[];
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

/** Divides people, who are given by their indexes, into batches of one session each that are as large as section 8 allows. */
export function divideIntoBatches(people: readonly Row[], indexes: readonly number[]): Batch[] {
	const bySession = groupBy(indexes, (index) => people[index]?.sessionId ?? '');
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasksInBatch)).map((nth) => {
			return {
				sessionId,
				indexes: members.slice((nth - 1) * mostTasksInBatch, nth * mostTasksInBatch),
			};
		}),
	);
}
