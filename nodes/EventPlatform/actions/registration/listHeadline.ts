import {
	countStatuses,
	headline,
	headlineOfPlan,
	mostFrequentReason,
	outcomesOf,
} from '../../core/registration/report';
import type { Preview } from '../../core/people/outcome';
import { thousands } from '../../core/client/usage';
import { isAwaited, isFailed, nothingSent, type FinishedList } from './finishedList';

export function headlineOf(list: FinishedList): string {
	return list.settings.isDryRun ? headlineOfDryRun(list) : headlineOfRun(list);
}

function headlineOfDryRun({ run, report, words }: FinishedList): string {
	const { requests, seconds, reasonNotToBegin } = report;
	const { monthlyRemaining } = run.api.usage;
	const counts = countStatuses(outcomesOf(report).filter(isAwaited));
	const sentences = [
		`${words.dryRunPrefix ?? ''}${headlineOfPlan(counts, requests, seconds)}`,
		monthlyRemaining !== undefined &&
			`${thousands(monthlyRemaining)} requests are left this month.`,
		reasonOfEarlyEnd(report) ??
			(reasonNotToBegin && `A real run would stop here. ${reasonNotToBegin.message}`),
	];
	return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function headlineOfRun({ run, report, settings }: FinishedList): string {
	const { jobs, reasonNotToBegin } = report;
	const outcomes = outcomesOf(report);
	const awaited = outcomes.filter(isAwaited);
	const unawaitedCount = outcomes.length - awaited.length;
	const sentInJobs =
		settings.output === 'jobs'
			? `${thousands(unawaitedCount)} sent in ${thousands(jobs.length)} jobs, `
			: '';
	// The requests and the waits that people read besides begin with those for the forms, so the time does too.
	const seconds = (run.clock.now() - run.startedAtMs) / 1_000;
	const counts = headline(countStatuses(awaited), run.api.usage, seconds);
	const countsWithJobs = `${sentInJobs}${counts}`;
	const reason =
		reasonOfEarlyEnd(report) ??
		(reasonNotToBegin
			? `${reasonNotToBegin.message} ${nothingSent}`
			: reasonOfMost(outcomes.filter(isFailed)));
	return reason === undefined ? countsWithJobs : `${countsWithJobs}. ${reason}`;
}

function reasonOfMost(failed: readonly Preview[]): string | undefined {
	const most = mostFrequentReason(failed);
	// One of many different reasons would say nothing of the others.
	if (!most || (most.count === 1 && failed.length > 1)) return undefined;
	const people = most.count === 1 ? '1 person' : `${thousands(most.count)} people`;
	return `The most frequent reason, of ${people}: ${most.reason}`;
}

function reasonOfEarlyEnd({ stop }: FinishedList['report']): string | undefined {
	return stop && `The run ended early. ${stop.message}`;
}
