import { thousands, type Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import type { Cost } from './meter';
import type { Plan } from './plan';
import type { Report } from './report';

/** The floor of what it costs to send these requests, beside what was spent before. */
export function costOf(
	toSend: ReadonlyArray<{ sessionId: string }>,
	{ perSecond }: Pick<Usage, 'perSecond'>,
	spent: Omit<Cost, 'seconds'> = { requests: 0, sessionOfEach: [] },
): Cost {
	const requests = spent.requests + toSend.length;
	const sessionOfEach = [...spent.sessionOfEach, ...toSend.map(({ sessionId }) => sessionId)];
	return { requests, sessionOfEach, seconds: Math.ceil((10 * requests) / perSecond) / 10 };
}

/** One request to send each job, and one to read its results when they are waited for. */
export function forecast(
	{ batches: chunks }: Plan,
	waits: boolean,
	usage: Pick<Usage, 'perSecond'>,
): Cost {
	return costOf(waits ? [...chunks, ...chunks] : chunks, usage);
}

/** Why the run must not begin; undefined when the month's requests are enough as far as is known. */
export function shortage(requests: number, remaining?: number): Reason | undefined {
	if (remaining === undefined || remaining >= requests) return undefined;
	const message = `This run needs at least ${thousands(requests)} requests, but the platform has only ${thousands(remaining)} left for this month.`;
	return { code: 'quota_spent', message };
}

/** Reports a run that nobody starts: people who would be sent are valid. */
export function rehearse({ outcomes, batches: chunks }: Plan, cost: Cost): Report {
	return {
		...cost,
		outcomes: outcomes.map((outcome) => outcome ?? { status: 'valid', errors: [] }),
		jobs: chunks.map((chunk) => {
			return { ...chunk, id: '', status: 'planned', processed: 0, succeeded: 0, failed: 0 };
		}),
	};
}
