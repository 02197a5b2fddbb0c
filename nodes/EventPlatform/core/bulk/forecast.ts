import { secondsFor } from '../http/cost';
import { groupBy } from '../http/groupBy';
import type { Usage } from '../http/ports';
import type { Outcome } from './outcome';
import type { SentJob } from './ledger';
import type { Plan } from './plan';
import type { Report } from './report';

export interface Forecast {
	/** The floor: one to send each job, and one to read its results when they are waited for. */
	requests: number;
	seconds: number;
	/** What the platform last said is left this month. */
	monthlyRemaining?: number;
}

export function forecast(
	{ chunks }: Pick<Plan, 'chunks'>,
	waits: boolean,
	usage: Pick<Usage, 'perSecond' | 'monthlyRemaining'>,
): Forecast {
	const requests = chunks.length * (waits ? 2 : 1);
	const { monthlyRemaining } = usage;
	return { requests, seconds: secondsFor(requests, usage), monthlyRemaining };
}

/** Why the run must not begin; undefined when the month's requests are enough as far as is known. */
export function shortage(requests: number, remaining?: number): string | undefined {
	if (remaining === undefined || remaining >= requests) return undefined;
	return `This run needs at least ${requests} requests, but the platform has only ${remaining} left for this month. Nothing was sent.`;
}

/** What a run would look like that nobody starts: those who would be sent are valid. */
export function rehearse(plan: Plan, { requests, seconds }: Forecast): Report<Outcome | Valid> {
	const perJob = plan.chunks.length === 0 ? 0 : requests / plan.chunks.length;
	const bySession = groupBy(plan.chunks, ({ sessionId }) => sessionId);
	return {
		outcomes: plan.outcomes.map((outcome) => outcome ?? valid),
		jobs: plan.chunks.map(planned),
		requests,
		requestsBySession: new Map([...bySession].map(([id, chunks]) => [id, chunks.length * perJob])),
		seconds,
	};
}

export interface Valid {
	status: 'valid';
	jobId?: undefined;
	person?: undefined;
	errors: readonly never[];
}

const valid: Valid = { status: 'valid', errors: [] };

function planned({ sessionId, people }: Plan['chunks'][number]): SentJob {
	return { id: '', sessionId, people, status: 'planned', processed: 0, succeeded: 0, failed: 0 };
}
