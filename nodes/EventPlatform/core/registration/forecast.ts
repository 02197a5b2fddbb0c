import { thousands, type Usage } from '../client/usage';
import type { Preview } from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Batch } from './candidate';
import type { PlannedJob } from './job';
import type { Cost } from './meter';
import type { Plan } from './plan';
import type { Forecast } from './report';

/** Computes the least that it costs to send these requests, added to what was spent before. */
export function costOf(
	toSend: ReadonlyArray<{ sessionId: string }>,
	{ perSecond }: Pick<Usage, 'perSecond'>,
	spent: Omit<Cost, 'seconds'> = { requests: 0, sessionOfEach: [] },
): Cost {
	const requests = spent.requests + toSend.length;
	const sessionOfEach = [...spent.sessionOfEach, ...toSend.map(({ sessionId }) => sessionId)];
	// The time is rounded up to tenths of a second.
	const seconds = Math.ceil((10 * requests) / perSecond) / 10;
	return { requests, sessionOfEach, seconds };
}

/** Forecasts a run: one request sends each job, and another one reads its results where they are needed. */
export function forecast(
	{ batches }: Plan,
	needsResults: boolean,
	usage: Pick<Usage, 'perSecond'>,
): Cost {
	return costOf(needsResults ? [...batches, ...batches] : batches, usage);
}

/** Gives the reason why a run must not begin; undefined where the month's requests are enough, or the platform does not tell them. */
export function shortage(requests: number, remaining?: number): Reason | undefined {
	if (remaining === undefined || remaining >= requests) return undefined;
	const message = `This run needs at least ${thousands(requests)} requests, but the platform has only ${thousands(remaining)} left for this month.`;
	return { code: 'quota_spent', message };
}

/** Describes what a run would do. People who would be sent have the status `valid`. */
export function dryRun({ candidates, batches }: Plan, cost: Cost): Forecast {
	return {
		...cost,
		outcomes: candidates.map(({ outcome }): Preview => outcome ?? { status: 'valid', reasons: [] }),
		jobs: planJobs(batches),
	};
}

/** Gives the jobs that a run would start. */
export function planJobs(batches: readonly Batch[]): PlannedJob[] {
	return batches.map((batch) => ({ ...batch, status: 'planned' }));
}
