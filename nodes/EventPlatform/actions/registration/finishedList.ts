import type { Forecast, Report } from '../../core/bulk/report';
import type { Plan } from '../../core/bulk/plan';
import type { Preview } from '../../core/people/outcome';
import type { Reason } from '../../core/people/reason';
import type { Registrant } from '../../form/registrant';
import type { RunContext } from '../runContext';
import type { ListSettings } from './prepareList';

/** How an operation speaks of its run. */
interface RunWords {
	/** "Sync" */
	readonly run: string;
	/** "registered", for a sentence that says that somebody was not. */
	readonly pastParticiple: string;
	/** The statuses that a summary counts, if not those of a registration. */
	readonly statuses?: readonly string[];
	/** The beginning of the headline of a run that sent nothing. */
	readonly dryRunPrefix?: string;
	/** Advice for a run that is refused for another reason than the month, by the code of the reason. */
	readonly refused?: Readonly<Record<string, string>>;
}

/** A run that is over, and how it is told. */
export interface FinishedList {
	/** The run of the node that is to tell of it. */
	readonly run: RunContext;
	/** The settings, and whether the run was a dry run. */
	readonly settings: ListSettings & { readonly isDryRun: boolean };
	/** One person for each input item. */
	readonly people: readonly Registrant[];
	/** Its people begin with those of the items. */
	readonly plan: Pick<Plan, 'people' | 'firstOf'>;
	/** `reasonNotToBegin`: why nothing was, or would be, sent. */
	readonly report: (Report | Forecast) & { reasonNotToBegin?: Reason };
	/** The words for what the run did. */
	readonly words: RunWords;
	/** Sentences for people that belong to no single person. */
	readonly hints: readonly string[];
}

/** Said once of a run, whatever kept it from sending. */
export const nothingSent = 'Nothing was sent.';

const failures: ReadonlyArray<Preview['status']> = [
	'failed',
	'invalid',
	'kept',
	'not_updated',
	'unknown',
];

/** A run that waits for nobody does not tell what became of those whom it has sent. */
export function isAwaited({ reasons: [reason] }: Pick<Preview, 'reasons'>): boolean {
	return reason?.code !== 'not_awaited';
}

/** Whether the run did not do for a person what it was to do, or does not know whether it did. */
export function isFailed(outcome: Pick<Preview, 'status' | 'reasons'>): boolean {
	return failures.includes(outcome.status) && isAwaited(outcome);
}
