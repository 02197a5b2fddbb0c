import type { Failure } from '../client/failure';
import { jobRecord } from '../jobs/jobState';
import { describeUsage, thousands, type RequestCount } from '../client/usage';
import { groupBy } from '../values/collections';
import type { JsonObject } from '../values/json';
import { reasonOf, type Reason } from '../people/reason';
import { everyStatus, statuses, type Outcome, type Status } from '../people/outcome';
import type { Plan } from './plan';
import type { SentJob } from './job';
import type { Cost } from './meter';

export interface Report extends Cost {
	/** One per person, in the order of the input. */
	outcomes: readonly Outcome[];
	jobs: readonly SentJob[];
	/** Why the run ended before everyone was sent or confirmed. */
	stop?: Reason;
	/** Sessions whose results show that the platform does not keep the emails of who registers. */
	publicSessions?: ReadonlySet<string>;
	/** Nothing that was sent was answered as the platform answers: why, when it was last tried. */
	unreached?: Failure;
}

type Counts = Partial<Record<string, number>>;

export function countStatuses(outcomes: ReadonlyArray<{ status: string }>): Counts {
	const counts: Counts = {};
	for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** With these alone nobody has been registered, and nobody was before. */
const fruitless = ['failed', 'invalid', 'duplicate', 'not_updated', 'kept'];

/** A run after which nobody is registered, in words for people. */
interface FruitlessRun {
	/** How many people came to which status. */
	message: string;
	/** The reason that most of them have in common. */
	reason: string;
}

/** Describes a run after which nobody is registered; undefined where somebody is, or may be. */
export function nobodyRegistered(outcomes: readonly Outcome[]): FruitlessRun | undefined {
	if (outcomes.length === 0 || !outcomes.every(({ status }) => fruitless.includes(status)))
		return undefined;
	// The reason of a duplicate says nothing of the first row with the person.
	const others = outcomes.filter(({ status }) => status !== 'duplicate');
	const told = others.flatMap(({ errors }) => reasonOf(errors) ?? []);
	const alike = [...groupBy(told, String).values()];
	const [most = []] = alike.sort((one, other) => other.length - one.length);
	const [reason = ''] = most;
	const message = `Nobody was registered: ${countsInWords(countStatuses(outcomes)).join(', ')}`;
	const share = `${thousands(most.length)} of ${thousands(outcomes.length)}: `;
	return { message, reason: `${outcomes.length > 1 ? share : ''}${reason}` };
}

/** "4,970 registered, 20 already registered, 10 failed, 202 requests, 41 s" */
export function headline(counts: Counts, sent: RequestCount, seconds: number): string {
	return [...countsInWords(counts), describeUsage(sent, seconds)].join(', ');
}

/** "56 valid, 4 invalid. It would take about 4 requests and 1 s. Nothing was sent." */
export function headlineOfPlan(counts: Counts, requests: number, seconds: number): string {
	const wouldTake = describeUsage({ requests }, seconds, ' and ');
	return `${countsInWords(counts).join(', ')}. It would take about ${wouldTake}. Nothing was sent.`;
}

const inWords: Partial<Record<Status, string>> = {
	would_add: 'would be added',
	would_update: 'would be updated',
	would_remove: 'would be removed',
};

function countsInWords(counts: Counts): string[] {
	return everyStatus.flatMap((status) => {
		const count = counts[status] ?? 0;
		const words = inWords[status] ?? status.replaceAll('_', ' ');
		return count === 0 ? [] : [`${thousands(count)} ${words}`];
	});
}

/** The summary of one session. */
interface SessionSummary {
	/** The indexes of its people in the plan. */
	people: number[];
	/** The record as it leaves the node. */
	record: JsonObject;
}

/** One summary per session, in the order of the input. */
export function summarize(
	{ people }: Pick<Plan, 'people'>,
	report: Report,
	names: readonly string[] = statuses,
): SessionSummary[] {
	const bySession = groupBy([...people.entries()], ([, { sessionId }]) => sessionId);
	const jobs = groupBy(report.jobs, ({ sessionId }) => sessionId);
	const requests = groupBy(report.sessionOfEach, String);
	return [...bySession].map(([sessionId, entries]) => {
		const members = entries.map(([index]) => index);
		const counts = countStatuses(members.flatMap((index) => report.outcomes[index] ?? []));
		const ofSession = requests.get(sessionId)?.length ?? 0;
		const record: JsonObject = {
			session_id: sessionId === '' ? null : sessionId,
			total: members.length,
			...(counts.valid && { valid: counts.valid }),
			...Object.fromEntries(names.map((status) => [status, counts[status] ?? 0])),
			jobs: (jobs.get(sessionId) ?? []).map(sentJobRecord),
			requests: bySession.size === 1 ? report.requests : ofSession,
			seconds: report.seconds,
		};
		return { people: members, record };
	});
}

export function sentJobRecord({ people, ...job }: SentJob): JsonObject {
	if (job.status === 'planned') return { id: null, status: job.status, total_items: people.length };
	return jobRecord({ ...job, total: people.length });
}
