import type { Outcome, Reason } from '../people/outcome';
import { groupBy } from '../values/collections';
import { text } from '../values/text';
import * as law from './law';
import type { SessionPerson } from '../people/identity';
import { withIntent, type PlannedPerson } from './intent';

/* Applies the fourth part of the law: nobody is removed from a session while something about it is in doubt. */

export interface Doubts {
	/** What is in doubt about the session, so that nobody is removed from it. */
	readonly ofSession: ReadonlySet<string>;
	/** What is in doubt about single people. */
	readonly ofPerson: ReadonlyMap<SessionPerson, string>;
}

export const noDoubts: Doubts = { ofSession: new Set(), ofPerson: new Map() };

export function reasonOfDoubts(
	{ ofSession, ofPerson }: Doubts,
	person: SessionPerson,
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
		const ofSession = new Set(
			additions.flatMap((row) => law.doubtsAboutRow(row, outcomes.get(row))),
		);
		const doubts = mayRemoveDespiteDoubt ? noDoubts : { ...noDoubts, ofSession };
		for (const entry of removals) {
			const row = rowOfAdded.get(text(entry.person?.record.id));
			const reason = row ? law.reasonOfAddedInRun(row) : reasonOfDoubts(doubts, entry.person);
			if (reason !== undefined) reasons.set(entry, reason);
		}
	}
	return reasons;
}
