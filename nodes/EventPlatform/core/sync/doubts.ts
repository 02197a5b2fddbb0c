import type { Reason } from '../people/outcome';
import { groupBy } from '../values/collections';
import { text } from '../values/text';
import * as law from './removalLaw';
import { withIntent, type SyncCandidate } from './intent';
import type { Registered } from './registered';

/*
 * Applies the fourth part of the law: nobody is removed from a session while something about it is in doubt. After additions it applies the
 * first part once more.
 */

export interface Doubts {
	/** What is in doubt about the session, so that nobody is removed from it. */
	readonly ofSession: ReadonlySet<string>;
	/** What is in doubt about single people. */
	readonly ofPerson: ReadonlyMap<Registered, string>;
}

export const noDoubts: Doubts = { ofSession: new Set(), ofPerson: new Map() };

export function reasonOfDoubts(
	{ ofSession, ofPerson }: Doubts,
	person: Registered,
): Reason | undefined {
	const [firstDoubt] = ofSession;
	// Where a person may be somebody on the list, that doubt comes before any other.
	const own = ofPerson.get(person);
	const doubt = own ?? firstDoubt;
	if (doubt === undefined) return undefined;
	if (firstDoubt === undefined) return law.reasonOfOwnDoubt(doubt);
	return law.reasonOfDoubt(doubt, ofSession.size - (ofSession.has(doubt) ? 1 : 0));
}

/** People are kept after all, depending on what became of those who were added to their session. */
export function reasonsAfterAdditions(
	candidates: readonly SyncCandidate[],
	mayRemoveDespiteDoubt = false,
): Map<SyncCandidate, Reason> {
	const reasons = new Map<SyncCandidate, Reason>();
	const additionsOf = groupBy(withIntent(candidates, 'add'), ({ row }) => row.sessionId);
	const removalsOf = groupBy(withIntent(candidates, 'remove'), ({ row }) => row.sessionId);
	for (const [sessionId, removals] of removalsOf) {
		const additions = additionsOf.get(sessionId) ?? [];
		// Everybody who is to be removed has an ID, so an addition without one keeps nobody.
		const additionOf = new Map(
			additions.map((added) => [text(added.outcome?.person?.id), added] as const),
		);
		const ofSession = new Set(
			additions.flatMap((added) => law.doubtsAboutRow(added, added.outcome)),
		);
		const doubts = mayRemoveDespiteDoubt ? noDoubts : { ...noDoubts, ofSession };
		for (const candidate of removals) {
			const added = additionOf.get(candidate.person.id);
			const reason = added
				? law.reasonOfAddedInRun(added)
				: reasonOfDoubts(doubts, candidate.person);
			if (reason !== undefined) reasons.set(candidate, reason);
		}
	}
	return reasons;
}
