import type { Outcome, Reason } from '../people/outcome';
import { groupBy } from '../values/collections';
import { text } from '../values/text';
import * as law from './law';
import { withIntent, type PlannedPerson } from './intent';

/* Applies the fourth part of the law: nobody is removed from a session while something about it is in doubt. */

export interface Doubts {
	readonly all: ReadonlySet<string>;
	readonly ofAddress: ReadonlyMap<string, string>;
}

export const noDoubts: Doubts = { all: new Set(), ofAddress: new Map() };

export function reasonOfDoubts({ all, ofAddress }: Doubts, address: string): Reason | undefined {
	const [firstDoubt] = all;
	// Where a person may be somebody on the list, that doubt comes before any other.
	const doubt = ofAddress.get(address) ?? firstDoubt;
	return doubt === undefined ? undefined : law.reasonOfDoubt(doubt, all.size - 1);
}

/** People are kept after all, depending on what became of those who were added to their session. */
export function reasonsAfterAdditions(
	entries: readonly PlannedPerson[],
	outcomes: ReadonlyMap<PlannedPerson, Outcome>,
	mayRemoveDespiteDoubt = false,
): Map<PlannedPerson, Reason> {
	const reasons = new Map<PlannedPerson, Reason>();
	const additionsOf = groupBy(withIntent(entries, 'add'), ({ sessionId }) => sessionId);
	for (const [sessionId, removals] of groupBy(
		withIntent(entries, 'remove'),
		(entry) => entry.sessionId,
	)) {
		const additions = additionsOf.get(sessionId) ?? [];
		// Everybody who is to be removed has an ID, so an addition without one keeps nobody.
		const rowOfAdded = new Map(additions.map((row) => [text(outcomes.get(row)?.person?.id), row]));
		const all = new Set(additions.flatMap((row) => law.doubtsAboutRow(row, outcomes.get(row))));
		const doubts = mayRemoveDespiteDoubt ? noDoubts : { ...noDoubts, all };
		for (const entry of removals) {
			const row = rowOfAdded.get(text(entry.person?.record.id));
			const reason = row ? law.reasonOfAddedInRun(row) : reasonOfDoubts(doubts, entry.address);
			if (reason !== undefined) reasons.set(entry, reason);
		}
	}
	return reasons;
}
