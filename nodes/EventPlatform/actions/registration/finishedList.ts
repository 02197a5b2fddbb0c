import type { IPairedItemData } from 'n8n-workflow';
import type { Forecast, Report, ReportedPerson } from '../../core/registration/report';
import type { Preview } from '../../core/people/outcome';
import type { Reason } from '../../core/people/reason';
import type { Registrant } from '../../form/registrant';
import type { RunContext } from '../runContext';
import type { ListSettings } from './prepareList';

/** The words in which an operation speaks of its run. */
interface RunWords {
	/** The name of the run: "Sync". */
	readonly run: string;
	/** The word for what is done with people: "registered". Sentences about failures say that somebody was not. */
	readonly pastParticiple: string;
	/** The statuses that a summary counts, if not those of a registration. */
	readonly statuses?: readonly string[];
	/** The beginning of the headline of a run that sent nothing. */
	readonly dryRunPrefix?: string;
	/** Advice for a run that is refused for another reason than the month's requests, by the code of the reason. */
	readonly refused?: Readonly<Record<string, string>>;
}

/** A run that is over, and the words in which people are told of it. */
export interface FinishedList {
	/** The run of the node that is to tell of it. */
	readonly run: RunContext;
	/** The settings, and whether the run was a dry run. */
	readonly settings: ListSettings & { readonly isDryRun: boolean };
	/** One person for each input item; none for empty ones at the end. */
	readonly people: readonly Registrant[];
	/** The people with their outcomes; those of the items come first. `reasonNotToBegin` is the reason why nothing was sent, or would be sent. */
	readonly report: (Report | Forecast) & { reasonNotToBegin?: Reason };
	/** The words for what the run did. */
	readonly words: RunWords;
	/** Sentences for people about the run as a whole. */
	readonly hints: readonly string[];
}

/** Gives the input item of a person; undefined for a person who is not on the list. */
export function pairedItemOf({ rowNumber }: ReportedPerson): IPairedItemData | undefined {
	return rowNumber === undefined ? undefined : { item: rowNumber - 1 };
}

/** The sentence that a message has once, whatever kept the run from sending. */
export const nothingSent = 'Nothing was sent.';

/** The statuses of people for whom the run did not do what it was to do. */
const failedStatuses: ReadonlyArray<Preview['status']> = [
	'failed',
	'invalid',
	'kept',
	'not_updated',
	'unknown',
];

/** Whether the run waited for the result of a person. A run that waits for nobody does not tell what became of people whom it sent. */
export function isAwaited({ reasons: [reason] }: Pick<Preview, 'reasons'>): boolean {
	return reason?.code !== 'not_awaited';
}

/** Whether the run did not do for a person what it was to do, or does not know whether it did. */
export function isFailed(outcome: Pick<Preview, 'status' | 'reasons'>): boolean {
	return failedStatuses.includes(outcome.status) && isAwaited(outcome);
}
