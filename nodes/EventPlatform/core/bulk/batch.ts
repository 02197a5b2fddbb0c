import { groupBy, upTo } from '../values/collections';
import type { Row } from '../people/row';
import type { QueuedRequest } from './queue';

/** Section 8. */
const mostTasksInBatch = 50;

/** People of one session that are sent in one request. */
export interface Batch {
	readonly sessionId: string;
	/** By their index in the input. */
	readonly people: readonly number[];
}

/** Some people of one session on their way to the platform, with what came of it so far. */
export interface PendingBatch extends Batch, QueuedRequest {
	/** Attempts in a row that failed. */
	readonly failedAttempts?: number;
	/** When it was first sent and the answer got lost: the platform may have acted on it. */
	readonly lostAt?: number;
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

export function divideIntoBatches(people: readonly Row[], indexes: readonly number[]): Batch[] {
	const bySession = groupBy(indexes, (index) => people[index]?.sessionId ?? '');
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasksInBatch)).map((nth) => {
			return {
				sessionId,
				people: members.slice((nth - 1) * mostTasksInBatch, nth * mostTasksInBatch),
			};
		}),
	);
}
