/*
 * Sync: makes the registrants of each session those of a list. Begin here.
 *
 *   law.ts      whom it may remove; to be read aloud
 *   registered.ts  reads the sessions and who is registered for them
 *   plan.ts     who is added, updated, removed or kept, before anything is sent: all that a dry run shows
 *   changes.ts  what of a registration is to be changed, and changes it; equal.ts: which answers are the same
 *   typingMistakes.ts  addresses that may be the same person
 *   steps.ts    carries out updates and removals, one request each
 *
 * This file has the list planned, adds people through bulk registration, and applies the law once more
 * before it removes anybody. Nothing is remembered between runs.
 */
import type { SentJob } from '../bulk/ledger';
import { Meter, type Cost } from '../bulk/meter';
import { notSent, type PersonOutcome, type Status } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import { forecast, shortage, type Report } from '../bulk/report';
import { runBulk } from '../bulk/run';
import { secondsFor } from '../http/cost';
import type { Usage } from '../http/ports';
import type { Reason } from '../jobs/task';
import { doubtAbout } from './law';
import { keep, planSync, type Rules, type SyncPlan } from './plan';
import { RegisteredPeople, type SyncParts } from './registered';
import { Steps } from './steps';

export interface SyncOptions extends Rules {
	/** Nothing is sent: the plan and its cost. */
	rehearses: boolean;
	maxWaitSeconds: number;
}

export interface SyncReport extends Report {
	plan: SyncPlan;
	/** Why nothing was, or would be, sent. */
	refusal?: Reason;
}

/** What a dry run calls what a run does. */
export const inDryRun: Partial<Record<Status, Status>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

/** Makes the registrants of each session those of the list, or tells what that would take. */
export async function runSync(
	list: readonly Candidate[],
	parts: SyncParts,
	options: SyncOptions,
): Promise<SyncReport> {
	const meter = new Meter(parts, options.maxWaitSeconds);
	const registered = new RegisteredPeople(parts, meter);
	const rows = await registered.read(list, options.rehearses);
	const plan = planSync(rows, registered.sessions, options, parts.show);
	const { stop, unreached } = registered;
	const refusal = plan.refusal ?? shortageOf(plan, parts);
	const report = { plan, refusal, jobs: [], stop, unreached };
	if (options.rehearses) return { ...report, ...rehearsal(plan, parts, meter) };
	const whyNot = stop ?? refusal;
	if (whyNot) return { ...report, ...meter.spent(), outcomes: withheld(plan, whyNot) };
	return { ...report, ...(await new Performance(plan, parts, options, meter).finish()) };
}

/** The lists have just told what is left of the month. */
function shortageOf(plan: SyncPlan, { api: { usage } }: SyncParts): Reason | undefined {
	const message = shortage(costOf(plan, usage).requests, usage.monthlyRemaining);
	return message === undefined ? undefined : { code: 'quota_spent', message };
}

/** What the run would do and cost, the pages that were read for it included. */
function rehearsal(plan: SyncPlan, { api }: SyncParts, meter: Meter) {
	const outcomes = plan.outcomes.map((outcome) => {
		return { ...outcome, status: inDryRun[outcome.status] ?? outcome.status };
	});
	return { ...costOf(plan, api.usage, meter.spent()), outcomes };
}

/** What the plan takes, beside what was spent for it. */
export function costOf(
	{ people, additions, updates, removals, doubts }: SyncPlan,
	usage: Pick<Usage, 'perSecond'>,
	spent: Pick<Cost, 'requests' | 'requestsBySession'> = {
		requests: 0,
		requestsBySession: new Map(),
	},
): Cost {
	const bulk = forecast(planRun(additions.flatMap((index) => people[index] ?? [])), true, usage);
	const certain = removals.filter(({ sessionId }) => !doubts.has(sessionId));
	const steps = [...updates, ...certain];
	const bySession = new Map(spent.requestsBySession);
	const each = steps.map(({ sessionId }) => [sessionId, 1] as const);
	for (const [sessionId, count] of [...bulk.requestsBySession, ...each]) {
		bySession.set(sessionId, (bySession.get(sessionId) ?? 0) + count);
	}
	const requests = spent.requests + bulk.requests + steps.length;
	return { requests, requestsBySession: bySession, seconds: secondsFor(requests, usage) };
}

function withheld(plan: SyncPlan, whyNot: Reason): PersonOutcome[] {
	const outcomes = [...plan.outcomes];
	const planned = [...plan.additions, ...plan.updates.map(({ index }) => index)];
	for (const index of planned) become(outcomes, index, notSent(whyNot));
	for (const { index } of plan.removals) {
		become(outcomes, index, { status: 'kept', errors: [whyNot] });
	}
	return outcomes;
}

/** What was planned is so, or this. */
function become(outcomes: PersonOutcome[], index: number, became: Partial<PersonOutcome>): void {
	const planned = outcomes[index];
	// What was not changed has no changes, unless it says which are left.
	const changes = became.status === undefined ? planned?.changes : (became.changes ?? []);
	if (planned) outcomes[index] = { ...planned, ...became, changes };
}

/** Carries out a plan. */
class Performance {
	private readonly outcomes: PersonOutcome[];
	private readonly steps: Steps;

	constructor(
		private readonly plan: SyncPlan,
		private readonly parts: SyncParts,
		private readonly options: SyncOptions,
		private readonly meter: Meter,
	) {
		this.outcomes = [...plan.outcomes];
		this.steps = new Steps(parts, (sessionId) => meter.askFor(sessionId));
	}

	/** Additions first, removals last and only of sessions without doubt: a run that ends early has taken nobody away. */
	async finish(): Promise<Report> {
		const { plan, outcomes, steps, meter } = this;
		const jobs = await this.add();
		const doubts = this.doubtsAfter();
		for (const { index, sessionId } of plan.removals) {
			const why = doubts.get(sessionId);
			if (why && !plan.doubts.has(sessionId)) keep(outcomes, index, why);
		}
		const certain = plan.removals.filter(({ sessionId }) => !doubts.has(sessionId));
		for (const some of [plan.updates, certain]) {
			await steps.take(some, ({ index }, became) => become(outcomes, index, became));
		}
		return { ...meter.spent(), outcomes, jobs, stop: steps.stop };
	}

	/** What came of the additions may speak against removals from their session. */
	private doubtsAfter(): Map<string, readonly string[]> {
		const { people, additions, doubts } = this.plan;
		const all = new Map<string, readonly string[]>(doubts);
		if (this.options.removesDespite) return all;
		for (const index of additions) {
			const { sessionId = '', email } = people[index] ?? {};
			const { status = 'unknown', errors = [] } = this.outcomes[index] ?? {};
			const doubt = doubtAbout({ row: index + 1, email, status, errors });
			if (doubt !== undefined) all.set(sessionId, [...(all.get(sessionId) ?? []), doubt]);
		}
		return all;
	}

	private async add(): Promise<SentJob[]> {
		const { parts, options, outcomes, meter } = this;
		const { people, additions } = this.plan;
		const bulk = planRun(additions.flatMap((index) => people[index] ?? []));
		if (bulk.chunks.length === 0) return [];
		const placeOf = (place: number) => additions[place] ?? -1;
		const inPlace = (job: SentJob): SentJob => ({ ...job, people: job.people.map(placeOf) });
		const onJob = (job: SentJob) => parts.onJob?.(inPlace(job));
		const waiting = { ...options, waits: true, isolates: true };
		const { jobs, stop, ...report } = await runBulk(bulk, { ...parts, onJob }, waiting, meter);
		for (const [place, outcome] of report.outcomes.entries()) {
			const isAdded = outcome.status === 'registered';
			// What was planned may say of whom it may be a second address.
			const { errors } = (isAdded && outcomes[placeOf(place)]) || outcome;
			const status = isAdded ? 'added' : outcome.status;
			outcomes[placeOf(place)] = { ...outcome, status, changes: [], errors };
		}
		this.steps.stop = stop;
		return jobs.map(inPlace);
	}
}
