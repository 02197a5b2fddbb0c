import type { Failure } from '../http/failure';
import { jobRecord } from '../jobs/jobState';
import { costOf, thousands, secondsFor, type RequestCount } from '../http/cost';
import { groupBy } from '../http/collections';
import type { JsonObject, Usage } from '../http/ports';
import { reasonOf, type Reason } from '../jobs/task';
import { statuses, type Outcome } from './outcome';
import type { SentJob } from './ledger';
import type { Plan } from './plan';

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
	/** Nothing that was sent was answered as the platform answers: why, when it was last tried. */
	unreached?: Failure;
}

export type Counts = Record<string, number>;

export function countStatuses(outcomes: Iterable<{ status: string }>): Counts {
	const counts: Counts = {};
	for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** With these alone nobody has been registered, and nobody was before. */
const fruitless: ReadonlySet<string> = new Set([
	'failed',
	'invalid',
	'duplicate',
	'not_updated',
	'kept',
]);

/** That nobody at all is registered, and the reason that most of them have; undefined where somebody is, or may be. */
export function nobodyRegistered(
	outcomes: ReadonlyArray<{ status: string; errors: readonly Reason[] }>,
): { message: string; reason: string } | undefined {
	if (outcomes.length === 0 || !outcomes.every(({ status }) => fruitless.has(status)))
		return undefined;
	const counted = new Map<string, number>();
	for (const { status, errors } of outcomes) {
		const reason = reasonOf(errors);
		// What a duplicate is told says nothing of the first one.
		if (reason !== null && status !== 'duplicate')
			counted.set(reason, (counted.get(reason) ?? 0) + 1);
	}
	const [[reason, count] = ['', 0]] = [...counted].sort(([, a], [, b]) => b - a);
	const message = `Nobody was registered: ${people(countStatuses(outcomes)).join(', ')}`;
	const share = `${thousands(count)} of ${thousands(outcomes.length)}: `;
	return { message, reason: `${outcomes.length > 1 ? share : ''}${reason}` };
}

/** "4,970 registered, 20 already registered, 10 failed, 202 requests, 41 s" */
export function headline(counts: Counts, sent: RequestCount, seconds: number): string {
	return [...people(counts), costOf(sent, seconds)].join(', ');
}

/** "56 valid, 4 invalid. It would take about 4 requests and 1 s. Nothing was sent." */
export function headlineOfPlan(counts: Counts, requests: number, seconds: number): string {
	const wouldTake = costOf({ requests }, seconds, ' and ');
	return `${people(counts).join(', ')}. It would take about ${wouldTake}. Nothing was sent.`;
}

const ofPlans = new Map([
	['would_add', 'would be added'],
	['would_update', 'would be updated'],
	['would_remove', 'would be removed'],
]);

/** Those that a registration does not have, in front of those that it has. */
const ofOthers = [
	...['valid', 'would_add', 'would_update', 'would_remove'],
	...['added', 'updated', 'not_updated', 'unchanged', 'removed', 'kept'],
];

function people(counts: Counts): string[] {
	return [...ofOthers, ...statuses].flatMap((status) => {
		const count = counts[status] ?? 0;
		const words = ofPlans.get(status) ?? status.replaceAll('_', ' ');
		return count === 0 ? [] : [`${thousands(count)} ${words}`];
	});
}

export interface SessionSummary {
	/** Everyone of the session, by their place in the input. */
	people: number[];
	record: JsonObject;
}

/** One summary per session, in the order of the input; its counts add up to its total. */
export function summarize(
	{ people }: Pick<Plan, 'people'>,
	report: Report<{ status: string }>,
	names: readonly string[] = statuses,
): SessionSummary[] {
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
			...Object.fromEntries(names.map((status) => [status, counts[status] ?? 0])),
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
