import type { Outcome } from '../people/outcome';
import { outcomeWithoutSending, type Entry } from './intent';

/** The outcome of a person who was to be sent, and whose outcome nobody has recorded. */
const unknownOutcome: Outcome = { status: 'unknown', reasons: [] };

/** Owns the outcomes of a run. */
export class Outcomes {
	/** The outcomes by the index of the entry. */
	private readonly recorded = new Map<number, Outcome>();

	record({ index }: Entry, outcome: Outcome): void {
		this.recorded.set(index, outcome);
	}

	/** Gives the outcome of a row; undefined as long as it is open. A row for which nothing is to be sent has its outcome already. */
	find({ index, intent }: Entry): Outcome | undefined {
		return this.recorded.get(index) ?? (intent.kind === 'none' ? intent.outcome : undefined);
	}

	/** Gives the outcome that an entry has at the end of the run. */
	outcomeOf({ index, intent }: Entry): Outcome {
		const outcome = this.recorded.get(index);
		if (!outcome) {
			return intent.kind === 'keep' || intent.kind === 'none'
				? outcomeWithoutSending(intent)
				: unknownOutcome;
		}
		// An addition keeps the reasons of the plan, because they may name the person whose second address it is.
		const isAdded = intent.kind === 'add' && outcome.status === 'added';
		return isAdded ? { ...outcome, reasons: intent.reasons } : outcome;
	}
}
