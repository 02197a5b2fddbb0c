import { groupBy, upTo } from '../values/collections';
import type { Candidate } from '../people/row';
import type { Turn } from './queue';

/** Section 8. */
const mostTasks = 50;

/** People of one session that are sent in one request. */
export interface Chunk {
	readonly sessionId: string;
	/** By their index in the input. */
	readonly people: readonly number[];
}

/** Some people of one session on their way to the platform, with what came of it so far. */
export interface Shipment extends Chunk, Turn {
	readonly tries?: number;
	/** When it was first sent and the answer got lost: the platform may have acted on it. */
	readonly lostAt?: number;
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

export function inChunks(people: readonly Candidate[], indexes: readonly number[]): Chunk[] {
	const bySession = groupBy(indexes, (index) => people[index]?.sessionId ?? '');
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasks)).map((nth) => {
			return { sessionId, people: members.slice((nth - 1) * mostTasks, nth * mostTasks) };
		}),
	);
}
