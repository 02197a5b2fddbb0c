import { problemOfId } from '../client/path';
import { sameAddress } from '../people/address';
import { duplicateOf, notSendable, type Outcome } from '../people/outcome';
import type { Row } from '../people/row';
import { divideIntoBatches, type Batch } from './batch';

export interface Plan {
	readonly people: readonly Row[];
	readonly batches: readonly Batch[];
	/** One for each person; only those who are not sent have an outcome. */
	readonly outcomes: ReadonlyArray<Outcome | undefined>;
	/** A duplicate → the earlier person with the same address. */
	readonly firstOf: ReadonlyMap<number, number>;
}

/** Groups people by session and cuts each group into requests. Invalid people and duplicates stay here. */
export function planRun(people: readonly Row[]): Plan {
	/** By session and address: who is sent. */
	const sent = new Map<string, number>();
	const firstOf = new Map<number, number>();
	const outcomes = people.map((candidate, index) => {
		const problems = problemsOf(candidate);
		if (problems.length > 0) return notSendable('invalid', problems);
		const { sessionId, email = '' } = candidate;
		const key = JSON.stringify([sessionId, sameAddress(email)]);
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

function problemsOf({ sessionId, email, problems }: Row): readonly string[] {
	if (problems.length > 0) return problems;
	// An id that cannot stand in a path concerns its own people alone.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`The session: ${problem}`];
	return email === undefined ? ['There is no email.'] : [];
}
