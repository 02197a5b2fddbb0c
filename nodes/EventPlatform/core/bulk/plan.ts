import { problemOfId } from '../client/path';
import { duplicateOf, notSendable, notSent, type Outcome } from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Row } from '../people/registration';
import { divideIntoBatches, type Batch } from './batch';

/** The plan of a bulk registration: who is sent in which request, and why the others are not sent. */
export interface Plan {
	/** The rows of the list, in the order of the input. */
	readonly people: readonly Row[];
	/** The people who are sent, request by request. */
	readonly batches: readonly Batch[];
	/** The outcomes by the index of the person. Only people who are not sent have one. */
	readonly outcomes: ReadonlyArray<Outcome | undefined>;
	/** The index of each duplicate, with that of the earlier person who has the same address. */
	readonly firstOf: ReadonlyMap<number, number>;
}

/**
 * Groups people by session, and divides each group into batches. Invalid people and duplicates are not sent, and nobody is sent to a
 * session that is known to take nobody any more (`reasonClosed`).
 */
export function planRun(
	people: readonly Row[],
	reasonClosed: (sessionId: string) => Reason | undefined = () => undefined,
): Plan {
	/** The index of each person who is sent, by session and address. */
	const indexOfSent = new Map<string, number>();
	const firstOf = new Map<number, number>();
	const outcomes = people.map((row, index) => {
		const problems = problemsOf(row);
		if (problems.length > 0) return notSendable('invalid', problems);
		const { sessionId, address } = row;
		const key = JSON.stringify([sessionId, address]);
		const firstIndex = indexOfSent.get(key);
		if (firstIndex !== undefined) {
			firstOf.set(index, firstIndex);
			return duplicateOf(firstIndex);
		}
		indexOfSent.set(key, index);
		const reason = reasonClosed(sessionId);
		return reason && notSent(reason);
	});
	const sent = [...indexOfSent.values()].filter((index) => outcomes[index] === undefined);
	const batches = divideIntoBatches(people, sent);
	return { people, batches, outcomes, firstOf };
}

/** Gives the rows of a plan at these indexes. */
export function rowsAt({ people }: Pick<Plan, 'people'>, indexes: readonly number[]): Row[] {
	return indexes.flatMap((index) => people[index] ?? []);
}

/** Gives the reasons, in words for people, why a row cannot be sent. */
function problemsOf({ sessionId, email, problems }: Row): readonly string[] {
	if (problems.length > 0) return problems;
	// A session id that cannot stand in a path is a problem of the rows of that session alone.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`The session: ${problem}`];
	return email === undefined ? ['There is no email.'] : [];
}
