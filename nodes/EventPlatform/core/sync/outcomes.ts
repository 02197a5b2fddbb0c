import type { Outcome } from '../people/outcome';
import { outcomeWithoutSending, type Entry } from './intent';

/** The outcome of a person who was to be sent, and of whom nothing was recorded. */
const unknown: Outcome = { status: 'unknown', reasons: [] };

/** Owns the outcomes of a run. */
export class Outcomes {
	/** The outcomes by the index of the entry. */
	private readonly recorded = new Map<number, Outcome>();

	record({ index }: Entry, outcome: Outcome): void {
		this.recorded.set(index, outcome);
	}

	/** Gives what became of a row; undefined as long as that is open. A row for which nothing is to be sent has its outcome already. */
	find({ index, intent }: Entry): Outcome | undefined {
		return this.recorded.get(index) ?? (intent.kind === 'none' ? intent.outcome : undefined);
	}

	/** Gives what became of an entry at the end of the run. */
	outcomeOf({ index, intent }: Entry): Outcome {
		const outcome = this.recorded.get(index);
		if (!outcome) {
			return intent.kind === 'keep' || intent.kind === 'none'
				? outcomeWithoutSending(intent)
				: unknown;
		}
		// The reasons of the plan are kept for an addition: they may name the person whose second address it is.
		const isAdded = intent.kind === 'add' && outcome.status === 'added';
		return isAdded ? { ...outcome, reasons: intent.reasons } : outcome;
	}
}
