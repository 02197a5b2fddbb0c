import { countStatuses, headline, headlineOfPlan } from '../../core/bulk/report';
import { thousands } from '../../core/client/usage';
import { isAwaited, nothingSent, type FinishedList } from './finishedList';

/** The counts, and with them why the run ended, so that the cause stands wherever they are read. */
export function headlineOf({ run, report, settings, words }: FinishedList): string {
	const { outcomes, jobs, requests, seconds, stop, reasonNotToBegin } = report;
	const { usage } = run.api;
	const awaited = outcomes.filter(isAwaited);
	const counts = countStatuses(awaited);
	const early = stop && `The run ended early. ${stop.message}`;
	if (settings.rehearses) {
		const { monthlyRemaining: left } = usage;
		const month =
			left === undefined ? undefined : `${thousands(left)} requests are left this month.`;
		const why = reasonNotToBegin && `A real run would stop here. ${reasonNotToBegin.message}`;
		const plan = `${words.rehearsal ?? ''}${headlineOfPlan(counts, requests, seconds)}`;
		return [plan, month, early ?? why].filter((sentence) => sentence !== undefined).join(' ');
	}
	const unawaited = outcomes.length - awaited.length;
	const sent = `${thousands(unawaited)} sent in ${thousands(jobs.length)} jobs, `;
	const counted = `${settings.output === 'jobs' ? sent : ''}${headline(counts, usage, seconds)}`;
	const why = early ?? (reasonNotToBegin && `${reasonNotToBegin.message} ${nothingSent}`);
	return why === undefined ? counted : `${counted}. ${why}`;
}
