import { problemOfId } from '../client/path';
import { duplicateOf, notSendable, type Outcome } from '../people/outcome';
import type { Row } from '../people/registration';
import { divideIntoBatches, type Batch } from './batch';

export interface Plan {
	/** Everybody in the list, in the order of the input. */
	readonly people: readonly Row[];
	/** Those who are sent, request by request. */
	readonly batches: readonly Batch[];
	/** The outcomes by the index of the person. Only those who are not sent have one. */
	readonly outcomes: ReadonlyArray<Outcome | undefined>;
	/** The index of each duplicate, with that of the earlier person who has the same address. */
	readonly firstOf: ReadonlyMap<number, number>;
}

/** Groups people by session, and divides each group into batches. Invalid people and duplicates are not sent. */
export function planRun(people: readonly Row[]): Plan {
	/** The index of each person who is sent, by session and address. */
	const sent = new Map<string, number>();
	const firstOf = new Map<number, number>();
	const outcomes = people.map((row, index) => {
		const problems = problemsOf(row);
		if (problems.length > 0) return notSendable('invalid', problems);
		const { sessionId, address } = row;
		const key = JSON.stringify([sessionId, address]);
		const first = sent.get(key);
		if (first === undefined) {
			sent.set(key, index);
			return undefined;
		}
		firstOf.set(index, first);
		return duplicateOf(first);
	});
	return { people, batches: divideIntoBatches(people, [...sent.values()]), outcomes, firstOf };
}

/** Gives the rows of a plan at these indexes. */
export function rowsAt({ people }: Pick<Plan, 'people'>, indexes: readonly number[]): Row[] {
	return indexes.flatMap((index) => people[index] ?? []);
}

function problemsOf({ sessionId, email, problems }: Row): readonly string[] {
	if (problems.length > 0) return problems;
	// A session id that cannot stand in a path is the problem of its own people, and of nobody else.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`The session: ${problem}`];
	return email === undefined ? ['There is no email.'] : [];
}
