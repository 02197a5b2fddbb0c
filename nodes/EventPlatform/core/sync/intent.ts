import {
	notSent,
	type Change,
	type Outcome,
	type PlannedStatus,
	type Preview,
	type Status,
	type Reason,
} from '../people/outcome';
import type { Row } from '../people/registration';
import type { Candidate } from '../registration/candidate';
import type { SessionPerson } from '../people/identity';

export interface ListRow extends Row {
	readonly candidate: Candidate;
}

export interface PlannedRow extends ListRow {
	readonly person?: SessionPerson;
	readonly intent: Extract<Intent, { kind: 'add' | 'update' | 'none' }>;
}

export interface PersonNotListed extends Row {
	/** Nobody is registered who is registered already. */
	readonly candidate?: undefined;
	readonly person: SessionPerson;
	readonly intent: Extract<Intent, { kind: 'keep' | 'remove' }>;
}

export type PlannedPerson = PlannedRow | PersonNotListed;

export type Intent =
	| { kind: 'add' }
	| {
			kind: 'update';
			changes: readonly Change[];
			/** What is to be told of the person although nothing keeps them from being updated. */
			reasons: readonly Reason[];
	  }
	| { kind: 'remove' }
	| { kind: 'keep'; reason: Reason }
	/** Nothing is to be sent for the row, so its outcome is certain before anything is sent. */
	| { kind: 'none'; outcome: Outcome };

export type PlannedWith<Kind extends Intent['kind']> = (Kind extends 'keep' | 'remove'
	? PersonNotListed
	: PlannedRow) & { intent: Extract<Intent, { kind: Kind }> };

export function withIntent<Kind extends Intent['kind']>(
	entries: readonly PlannedPerson[],
	kind: Kind,
): Array<PlannedWith<Kind>> {
	return entries.filter(
		(entry): entry is PlannedPerson & PlannedWith<Kind> => entry.intent.kind === kind,
	);
}

export const plannedStatusOf: Partial<Record<Status, PlannedStatus>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

export function describeIntent(intent: Intent): Preview {
	switch (intent.kind) {
		case 'add':
			return { status: 'would_add', reasons: [] };
		case 'update':
			return { status: 'would_update', changes: intent.changes, reasons: intent.reasons };
		case 'remove':
			return { status: 'would_remove', reasons: [] };
		case 'keep':
		case 'none':
			return outcomeWithoutSending(intent);
	}
}

function outcomeWithoutSending(intent: Extract<Intent, { kind: 'keep' | 'none' }>): Outcome {
	return intent.kind === 'none' ? intent.outcome : outcomeOfKept(intent.reason);
}

export function outcomeOfKept(reason: Reason): Outcome {
	return { status: 'kept', reasons: [reason] };
}

export function outcomeWithheld(intent: Intent, reason: Reason): Outcome {
	switch (intent.kind) {
		case 'add':
		case 'update':
			return notSent(reason);
		case 'remove':
			return outcomeOfKept(reason);
		case 'keep':
		case 'none':
			return outcomeWithoutSending(intent);
	}
}

/** The outcomes of a run, as far as something was sent or a removal was taken back. */
export type Outcomes = Map<PlannedPerson, Outcome>;

export function outcomeOf(
	entry: PlannedPerson,
	outcomes: ReadonlyMap<PlannedPerson, Outcome>,
): Outcome {
	const { intent } = entry;
	if (intent.kind === 'keep' || intent.kind === 'none') return outcomeWithoutSending(intent);
	const outcome = outcomes.get(entry) ?? { status: 'unknown', reasons: [] };
	if (intent.kind !== 'update') return outcome;
	return { ...outcome, reasons: [...outcome.reasons, ...intent.reasons] };
}
