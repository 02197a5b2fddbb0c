import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { createYielder } from '../../core/client/clock';
import { describeWaits } from '../../core/client/usage';
import { traitsOfStatus, type Reason } from '../../core/people/outcome';
import { peopleInWords } from '../../core/people/peopleInWords';
import { countOf, replaceAddresses, thousands } from '../../core/values/text';
import {
	countStatuses,
	fruitlessRun,
	headline,
	headlineOfPlan,
	mostFrequentReason,
	outcomesOf,
	type SharedReason,
} from '../../core/registration/runOutcome';
import { missingAnswers, hintsBeforeSending, hintsOfMissingAnswers } from '../../form/hints';
import type { Registrant } from '../../form/registrant';
import { isAwaited, isFailed, listItems, type FinishedList } from './listItems';
import { hintsOfLeftOutTracking } from './registrationHints';

const nothingSent = 'Nothing was sent.';

export const adviceWithoutRequests =
	'Wait for the new month, send fewer people, or buy an add-on for more requests.';

export async function finishList(list: FinishedList): Promise<INodeExecutionData[]> {
	const { run, runOutcome, settings, words } = list;
	const { reasonNotToBegin, failureOfRun } = runOutcome;
	const { isDryRun } = settings;
	const failsOnError = !run.n8n.continueOnFail();
	if (reasonNotToBegin && failsOnError && !isDryRun) {
		const { code, message } = reasonNotToBegin;
		const advice = code === 'quota_spent' ? adviceWithoutRequests : words.refused?.[code];
		const description = advice === undefined ? nothingSent : `${nothingSent} ${advice}`;
		throw new NodeOperationError(run.n8n.getNode(), message, { description });
	}
	const outcomes = outcomesOf(runOutcome);
	const most = await mostFrequentReason(outcomes.filter(isFailed), createYielder(run.clock));
	logOutcome(list, most);
	await hintAtOutcome(list, most);
	// Somebody who is unknown may be registered all the same.
	const isNobodySent = outcomes.every(({ status }) => status !== 'unknown');
	if (failureOfRun && isNobodySent && failsOnError) throw failureOfRun;
	const fruitless = isDryRun ? undefined : fruitlessRun(outcomes, most);
	if (fruitless && failsOnError) {
		const message = words.errorMessage(fruitless.inWords);
		const description = `${fruitless.reason} To get an item for each person, set 'On Error' of the node to 'Continue (using error output)'.`;
		throw new NodeOperationError(run.n8n.getNode(), message, { description });
	}
	return await listItems(list, fruitless !== undefined);
}

/** The log is kept longer than the run, and read by more people: it gets no addresses, and no reason that may name people. */
function logOutcome(list: FinishedList, most?: SharedReason): void {
	const { run, words } = list;
	const summary = headlineOf(list, most, ({ code }) => `The code of the reason is ${code}.`);
	const waits = describeWaits(run.client.usage);
	const logged = waits === undefined ? summary : `${summary}. ${waits}`;
	run.n8n.logger.info(`${words.run}: ${replaceAddresses(logged, 'an address')}`);
}

async function hintAtOutcome(list: FinishedList, most?: SharedReason): Promise<void> {
	const { run, people, settings, hints } = list;
	const describe = [
		() => hints,
		() => hintsOfEmptyRows(run.n8n.getInputData().length - people.length),
		() => hintsOfLeftOutTracking([...run.findings.plainForm.leftOut]),
		() => hintsBeforeSending(people),
		() => hintsOfMissingAnswers(missingAnswers(newRegistrants(list)), settings.isDryRun),
	];
	const yieldIfDue = createYielder(run.clock);
	run.notes.hint(headlineOf(list, most));
	for (const hintsOf of describe) {
		await yieldIfDue();
		for (const hint of hintsOf()) run.notes.hint(hint);
	}
}

function hintsOfEmptyRows(count: number): string[] {
	if (count === 0) return [];
	return [
		count === 1
			? 'The last row is empty and was left out.'
			: `The last ${thousands(count)} rows are empty and were left out.`,
	];
}

function newRegistrants({ people: registrants, runOutcome }: FinishedList): Registrant[] {
	const newRows = new Set(
		runOutcome.people
			.filter(({ outcome }) => traitsOfStatus[outcome.status].isNew)
			.map(({ rowNumber }) => rowNumber),
	);
	return registrants.filter((_, index) => newRows.has(index + 1));
}

type InWords = (reason: Reason) => string;

/** `inWords` says why the run did not begin, or a real one would not. */
function headlineOf(
	list: FinishedList,
	most?: SharedReason,
	inWords: InWords = ({ message }) => message,
): string {
	return list.settings.isDryRun
		? headlineOfDryRun(list, inWords)
		: headlineOfRun(list, inWords, most);
}

function headlineOfDryRun({ run, runOutcome, words }: FinishedList, inWords: InWords): string {
	const { reasonNotToBegin } = runOutcome;
	const { monthlyRemaining } = run.client.usage.month;
	const counts = countStatuses(outcomesOf(runOutcome).filter(isAwaited));
	const sentences = [
		`${words.dryRunPrefix ?? ''}${headlineOfPlan(counts, runOutcome)}`,
		monthlyRemaining !== undefined && `${countOf(monthlyRemaining, 'request')} left this month.`,
		reasonOfEarlyEnd(runOutcome) ??
			(reasonNotToBegin && `A real run would stop here. ${inWords(reasonNotToBegin)}`),
	];
	return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function headlineOfRun(
	{ runOutcome, settings }: FinishedList,
	inWords: InWords,
	most?: SharedReason,
): string {
	const { jobs, reasonNotToBegin } = runOutcome;
	const outcomes = outcomesOf(runOutcome);
	const awaited = outcomes.filter(isAwaited);
	const unawaitedCount = outcomes.length - awaited.length;
	const sentInJobs =
		settings.output === 'jobs'
			? `${thousands(unawaitedCount)} sent in ${countOf(jobs.length, 'job')}, `
			: '';
	const counts = headline(countStatuses(awaited), runOutcome);
	const countsWithJobs = `${sentInJobs}${counts}`;
	const reason =
		reasonOfEarlyEnd(runOutcome) ??
		(reasonNotToBegin
			? `${inWords(reasonNotToBegin)} ${nothingSent}`
			: reasonOfMost(outcomes.filter(isFailed).length, most));
	return reason === undefined ? countsWithJobs : `${countsWithJobs}. ${reason}`;
}

function reasonOfMost(failedCount: number, most?: SharedReason): string | undefined {
	// One of many different reasons would say nothing of the others.
	if (!most || (most.count === 1 && failedCount > 1)) return undefined;
	return `The most frequent reason, of ${peopleInWords(most.count)}: ${most.reason}`;
}

function reasonOfEarlyEnd({ stop }: FinishedList['runOutcome']): string | undefined {
	return stop && `The run ended early. ${stop.message}`;
}
