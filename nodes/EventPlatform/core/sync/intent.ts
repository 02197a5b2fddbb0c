import {
	notSent,
	type Change,
	type Outcome,
	type PlannedStatus,
	type Preview,
	type Status,
} from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Row } from '../people/registration';
import type { JsonObject } from '../values/json';

/** A row of the list, or somebody who is registered and not on it. */
export interface Entry extends Row {
	/** The position among all entries of the plan, which begin with the rows of the list. */
	readonly index: number;
	/** The record of the person, as it was read. Absent: no record was found for the row. */
	person?: JsonObject;
	/** The intent that the plan has decided. Later a removal may be taken back, and nothing else changes. */
	intent: Intent;
}

/** The intent of Sync for a row or a person. What becomes of it is an `Outcome`, which `outcomes.ts` keeps. */
export type Intent =
	| {
			kind: 'add';
			/** Hints about a person who is added all the same, such as a likely typing mistake. */
			reasons: readonly Reason[];
	  }
	| { kind: 'update'; changes: readonly Change[] }
	| { kind: 'remove' }
	/** A person who is not on the list stays. */
	| { kind: 'keep'; reason: Reason }
	/** Nothing is to be sent for the row, so its outcome is certain before anything is sent. */
	| { kind: 'none'; outcome: Outcome };

/** An entry with an intent of a certain kind. */
type EntryWith<Kind extends Intent['kind']> = Entry & { intent: Extract<Intent, { kind: Kind }> };

/** Picks the entries with an intent of this kind. */
export function withIntent<Kind extends Intent['kind']>(
	entries: readonly Entry[],
	kind: Kind,
): Array<EntryWith<Kind>> {
	return entries.filter((entry): entry is EntryWith<Kind> => entry.intent.kind === kind);
}

/** Takes a removal back. `message`: why the person is kept, in a sentence. */
export function keepPerson(entry: Entry, message: string): void {
	entry.intent = { kind: 'keep', reason: { code: 'kept', message } };
}

/** The status that a dry run gives for each status of a real run that it differs from. */
export const plannedStatusOf: Partial<Record<Status, PlannedStatus>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

/** Describes what would become of an intent, as a dry run shows it. */
export function describeIntent(intent: Intent): Preview {
	switch (intent.kind) {
		case 'add':
			return { status: 'would_add', reasons: intent.reasons };
		case 'update':
			return { status: 'would_update', changes: intent.changes, reasons: [] };
		case 'remove':
			return { status: 'would_remove', reasons: [] };
		case 'keep':
		case 'none':
			return outcomeWithoutSending(intent);
	}
}

/** Gives the outcome of an intent for which nothing is to be sent. */
export function outcomeWithoutSending(intent: Extract<Intent, { kind: 'keep' | 'none' }>): Outcome {
	return intent.kind === 'none' ? intent.outcome : { status: 'kept', reasons: [intent.reason] };
}

/** Gives the outcome where nothing may be sent at all, because the month or what the list would remove forbids it. */
export function outcomeWithheld(intent: Intent, reason: Reason): Outcome {
	switch (intent.kind) {
		case 'add':
		case 'update':
			return notSent(reason);
		case 'remove':
			return { status: 'kept', reasons: [reason] };
		case 'keep':
		case 'none':
			return outcomeWithoutSending(intent);
	}
}
