import type { IPairedItemData } from 'n8n-workflow';
import type { Forecast, Report, PersonOutcome } from '../../core/registration/report';
import { traitsOfStatus, type Preview, type Reason } from '../../core/people/outcome';
import type { Registrant } from '../../form/registrant';
import type { RunContext } from '../runContext';
import type { ListSettings } from './prepareList';

interface RunWords {
	readonly run: string;
	/** The word for what is done with people: "registered". Sentences about failures say that somebody was not. */
	readonly pastParticiple: string;
	readonly statuses?: readonly string[];
	readonly dryRunPrefix?: string;
	/** Advice for a run that is refused for another reason than the month's requests, by the code of the reason. */
	readonly refused?: Readonly<Record<string, string>>;
}

export interface FinishedList {
	readonly run: RunContext;
	readonly settings: ListSettings & { readonly isDryRun: boolean };
	readonly people: readonly Registrant[];
	/** The people with their outcomes; those of the items come first. `reasonNotToBegin` is the reason why nothing was sent, or would be sent. */
	readonly report: (Report | Forecast) & { reasonNotToBegin?: Reason };
	readonly words: RunWords;
	readonly hints: readonly string[];
}

export function pairedItemOf({ rowNumber }: PersonOutcome): IPairedItemData | undefined {
	return rowNumber === undefined ? undefined : { item: rowNumber - 1 };
}

export const nothingSent = 'Nothing was sent.';

/** A run that waits for nobody does not tell what became of people whom it sent. */
export function isAwaited({ reasons: [reason] }: Pick<Preview, 'reasons'>): boolean {
	return reason?.code !== 'not_awaited';
}

export function isFailed(outcome: Pick<Preview, 'status' | 'reasons'>): boolean {
	return traitsOfStatus[outcome.status].isFailed === true && isAwaited(outcome);
}
