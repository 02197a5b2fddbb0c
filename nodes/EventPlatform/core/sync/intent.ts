import { notSent, type Change, type Outcome, type Status } from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Row } from '../people/registration';
import type { JsonObject } from '../values/json';

/** A row of the list, or somebody who is registered and not on it. */
export interface Entry extends Row {
	/** Among all of them, which begin with the list. */
	readonly index: number;
	/** The record of somebody who is registered, as it was read. */
	person?: JsonObject;
	/** The plan decides it. Later a removal can be taken back, and nothing else changes. */
	intent: Intent;
}

/** The intent of Sync for a row or a person. The `Outcome` of it is another thing, and stands elsewhere (`outcomes.ts`). */
export type Intent =
	| {
			kind: 'add';
			/** Told about somebody who is added all the same, such as a likely typing mistake. */
			reasons: readonly Reason[];
	  }
	| { kind: 'update'; changes: readonly Change[] }
	| { kind: 'remove' }
	/** Somebody who is not on the list stays. */
	| { kind: 'keep'; because: Reason }
	/** Nothing is to be sent for the row, and that is all that comes of it. */
	| { kind: 'none'; outcome: Outcome };

type EntryWith<Kind extends Intent['kind']> = Entry & { intent: Extract<Intent, { kind: Kind }> };

/** Picks the entries with an intent of this kind. */
export function withIntent<Kind extends Intent['kind']>(
	people: readonly Entry[],
	kind: Kind,
): Array<EntryWith<Kind>> {
	return people.filter((entry): entry is EntryWith<Kind> => entry.intent.kind === kind);
}

export function keepPerson(entry: Entry, message: string): void {
	entry.intent = { kind: 'keep', because: { code: 'kept', message } };
}

/** The status that a dry run gives for each status of a real run that it differs from. */
export const inDryRun: Partial<Record<Status, Status>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

/** Describes an intent as a dry run shows it. */
export function describeIntent(intent: Intent): Outcome {
	switch (intent.kind) {
		case 'add':
			return { status: 'would_add', errors: intent.reasons };
		case 'update':
			return { status: 'would_update', changes: intent.changes, errors: [] };
		case 'remove':
			return { status: 'would_remove', errors: [] };
		case 'keep':
			return { status: 'kept', errors: [intent.because] };
		case 'none':
			return intent.outcome;
	}
}

/** The outcome where nothing may be sent at all, because the month or what the list would remove forbids it. */
export function outcomeWithheld(intent: Intent, because: Reason): Outcome {
	switch (intent.kind) {
		case 'add':
		case 'update':
			return notSent(because);
		case 'remove':
			return { status: 'kept', errors: [because] };
		case 'keep':
		case 'none':
			return describeIntent(intent);
	}
}
