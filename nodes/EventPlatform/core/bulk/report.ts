import { jobRecord } from '../jobs/jobState';
import { costOf, thousands } from '../http/cost';
import type { JsonObject, Usage } from '../http/ports';
import type { Reason } from '../jobs/taskResult';
import { statuses, type Outcome } from './outcome';
import { groupBy, type SentJob } from './outcomes';
import type { Plan } from './plan';

/** What a run has come to. */
export interface Report<Of = Outcome> {
	/** One per person, in the order of the input. */
	outcomes: readonly Of[];
	jobs: readonly SentJob[];
	/** HTTP requests, those that were repeated included. */
	requests: number;
	/** Without those that were repeated below the run. */
	requestsBySession: ReadonlyMap<string, number>;
	seconds: number;
	/** Why the run ended before everyone was sent or confirmed. */
	stop?: Reason;
}

export type Counts = Record<string, number>;

export function countStatuses(outcomes: Iterable<{ status: string }>): Counts {
	const counts: Counts = {};
	for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** "4,970 registered, 20 already registered, 10 failed, 202 requests, 41 s" */
export function headline(
	counts: Counts,
	spent: Pick<Usage, 'requests' | 'refused'>,
	seconds: number,
): string {
	const people = ['valid', ...statuses].flatMap((status) => {
		const count = counts[status] ?? 0;
		return count === 0 ? [] : [`${thousands(count)} ${status.replaceAll('_', ' ')}`];
	});
	return [...people, costOf(spent, seconds)].join(', ');
}

export interface SessionSummary {
	/** Everyone of the session, by their place in the input. */
	people: number[];
	record: JsonObject;
}

/** One summary per session, in the order of the input; its counts add up to its total. */
export function summarize({ people }: Plan, report: Report<{ status: string }>): SessionSummary[] {
	const bySession = groupBy([...people.keys()], (index) => people[index]?.sessionId ?? '');
	const jobs = groupBy(report.jobs, ({ sessionId }) => sessionId);
	const isOnly = bySession.size === 1;
	return [...bySession].map(([sessionId, members]) => {
		const outcomes = members.flatMap((index) => report.outcomes[index] ?? []);
		const counts = countStatuses(outcomes);
		const record = {
			session_id: sessionId === '' ? null : sessionId,
			total: members.length,
			...(counts.valid === undefined ? {} : { valid: counts.valid }),
			...Object.fromEntries(statuses.map((status) => [status, counts[status] ?? 0])),
			jobs: (jobs.get(sessionId) ?? []).map(sentJobRecord),
			requests: isOnly ? report.requests : (report.requestsBySession.get(sessionId) ?? 0),
			seconds: report.seconds,
		};
		return { people: members, record };
	});
}

export function sentJobRecord({ people, ...job }: SentJob): JsonObject {
	if (job.status === 'planned') return { id: null, status: job.status, total_items: people.length };
	return jobRecord({ ...job, isFinal: job.status !== 'processing', total: people.length });
}
