import { notSent, type Change, type Outcome, type Status, type Reason } from '../people/outcome';
import type { Candidate } from '../registration/candidate';
import type { Registered } from './registered';

/** A row of the list, or somebody who is registered and not on it: that one has no row number. */
export interface SyncCandidate extends Candidate {
	/** The person of the row, where the session shows one. */
	person?: Registered;
	/** Absent: nothing is to be sent, and the outcome was certain before anything was. */
	intent?: Intent;
}

type Intent =
	| { kind: 'add' }
	| {
			kind: 'update';
			changes: readonly Change[];
			/** What is to be told of the person although nothing keeps them from being updated. */
			reasons: readonly Reason[];
	  }
	| { kind: 'remove' };

export type CandidateTo<Kind extends Intent['kind']> = SyncCandidate & {
	readonly intent: Extract<Intent, { kind: Kind }>;
} & (Kind extends 'add' ? unknown : { readonly person: Registered });

export function withIntent<Kind extends Intent['kind']>(
	candidates: readonly SyncCandidate[],
	kind: Kind,
): Array<CandidateTo<Kind>> {
	return candidates.filter(
		(candidate): candidate is CandidateTo<Kind> => candidate.intent?.kind === kind,
	);
}

/** What a dry run calls the statuses that a real run may give to an intent; all others are outcomes already when the plan is made. */
export const plannedStatusOf: Partial<Record<Status, Status>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

export function describePlanned({ outcome, intent }: SyncCandidate): Outcome {
	if (outcome || !intent) return outcome ?? unknown;
	switch (intent.kind) {
		case 'add':
			return { status: 'would_add', reasons: [] };
		case 'update':
			return { status: 'would_update', changes: intent.changes, reasons: intent.reasons };
		case 'remove':
			return { status: 'would_remove', reasons: [] };
	}
}

export function outcomeOfKept(reason: Reason): Outcome {
	return { status: 'kept', reasons: [reason] };
}

export function outcomeWithheld({ outcome, intent }: SyncCandidate, reason: Reason): Outcome {
	return outcome ?? (intent?.kind === 'remove' ? outcomeOfKept(reason) : notSent(reason));
}

/** Only for the types: at the end of a run everybody has an outcome, or an intent that gave one. */
const unknown: Outcome = { status: 'unknown', reasons: [] };

export function outcomeOf({ outcome = unknown, intent }: SyncCandidate): Outcome {
	if (intent?.kind !== 'update') return outcome;
	return { ...outcome, reasons: [...outcome.reasons, ...intent.reasons] };
}
