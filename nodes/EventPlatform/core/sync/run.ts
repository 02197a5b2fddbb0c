import { shortage } from '../bulk/forecast';
import { because, notSent } from '../bulk/outcome';
import type { SentJob } from '../bulk/outcomes';
import { planRun, type Candidate } from '../bulk/plan';
import type { Report } from '../bulk/report';
import { runBulk } from '../bulk/run';
import type { RunParts } from '../bulk/state';
import { meaningOf, type Meaning } from '../bulk/submit';
import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { pathTo } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../http/simplify';
import type { Reason } from '../jobs/taskResult';
import {
	asSync,
	requestsOf,
	planSync,
	sessionsOf,
	tooManyRemovals,
	type SyncOutcome,
	type SyncPlan,
} from './plan';
import { Steps, type Done } from './steps';

export interface SyncOptions {
	/** Those who are not on the list are unregistered. */
	removesOthers: boolean;
	/** At most so many in one session; absent: 50, or a tenth of its people where that is more. */
	mostRemovals?: number;
	/** Nothing is sent: the plan and its cost. */
	rehearses: boolean;
	maxWaitSeconds: number;
}

export interface SyncReport extends Report<SyncOutcome> {
	plan: SyncPlan;
	/** Why nothing was, or would be, sent. */
	refusal?: Reason;
}

/** Makes the registrants of each session those of the list, or tells what that would take. */
export async function runSync(
	rows: readonly Candidate[],
	parts: RunParts,
	options: SyncOptions,
): Promise<SyncReport> {
	return await new SyncRun(rows, parts, options).finish();
}

const ofOneSession: ReadonlySet<Meaning> = new Set<Meaning>(['session', 'refused']);

class SyncRun {
	private readonly startedAt: number;
	private readonly requestsBefore: number;
	/** Without those that are repeated below the run. */
	private readonly requestsBySession = new Map<string, number>();
	private unreached?: Failure;
	private readonly steps: Steps;

	constructor(
		private readonly rows: readonly Candidate[],
		private readonly parts: RunParts,
		private readonly options: SyncOptions,
	) {
		const { api, clock } = parts;
		this.startedAt = clock.now();
		this.requestsBefore = api.usage.requests;
		this.steps = new Steps(parts, (sessionId) => this.askFor(sessionId));
	}

	async finish(): Promise<SyncReport> {
		const { removesOthers, rehearses } = this.options;
		const plan = planSync(this.rows, await this.registered(), removesOthers, this.parts.show);
		const refusal = this.refusal(plan);
		if (rehearses) return { ...this.rehearsal(plan), refusal };
		const whyNot = this.steps.stop ?? refusal;
		if (whyNot) return { ...this.withheld(plan, whyNot), refusal };
		return await this.perform(plan);
	}

	/** Everyone of each session, all pages. Without knowing them nothing is sent. */
	private async registered() {
		const registered = new Map<string, readonly JsonObject[] | Reason>();
		for (const sessionId of sessionsOf(this.rows)) {
			const list = this.steps.stop ?? (await this.peopleOf(sessionId));
			registered.set(sessionId, list);
		}
		return registered;
	}

	private async peopleOf(sessionId: string): Promise<JsonObject[] | Reason> {
		const path = pathTo`/sessions/${sessionId}/people`;
		return await listRecords(this.askFor(sessionId), path, {}, this.parts.signal).catch(
			(error: unknown) => {
				const reason = because(error, this.parts.explain);
				// What is wrong with one session leaves the others; anything else concerns them all.
				const isItsOwn = error instanceof Failure && ofOneSession.has(meaningOf(error));
				if (!isItsOwn) this.steps.stop = reason;
				if (!isItsOwn && error instanceof Failure) this.unreached = error;
				return reason;
			},
		);
	}

	private refusal(plan: SyncPlan): Reason | undefined {
		const tooMany = tooManyRemovals(plan, this.options.mostRemovals);
		if (tooMany !== undefined) return { code: 'too_many_removals', message: tooMany };
		// The lists have just told what is left of the month.
		const { monthlyRemaining } = this.parts.api.usage;
		const message = shortage(requestsOf(plan).requests, monthlyRemaining);
		return message === undefined ? undefined : { code: 'quota_spent', message };
	}

	/** Additions first and removals last: a run that ends early has taken nobody away. */
	private async perform(plan: SyncPlan): Promise<SyncReport> {
		const outcomes = [...plan.outcomes];
		const jobs = await this.add(plan, outcomes);
		for (const steps of [plan.updates, plan.removals]) {
			await this.steps.take(steps, ({ index }, done) => {
				const planned = outcomes[index];
				if (planned) outcomes[index] = { ...planned, ...outcomeOf(done, this.parts.show) };
			});
		}
		return { ...this.report(plan, outcomes), jobs };
	}

	private async add({ additions }: SyncPlan, outcomes: SyncOutcome[]) {
		const { parts, options, startedAt } = this;
		const bulk = planRun(additions.flatMap((index) => this.rows[index] ?? []));
		if (bulk.chunks.length === 0) return [];
		const passed = (parts.clock.now() - startedAt) / 1_000;
		const maxWaitSeconds = options.maxWaitSeconds - passed;
		const placeOf = (place: number) => additions[place] ?? -1;
		const inPlace = (job: SentJob): SentJob => ({ ...job, people: job.people.map(placeOf) });
		const onJob = (job: SentJob) => parts.onJob?.(inPlace(job));
		const waiting = { waits: true, maxWaitSeconds, isolates: true };
		const report = await runBulk(bulk, { ...parts, onJob }, waiting);
		for (const [place, outcome] of report.outcomes.entries()) {
			outcomes[placeOf(place)] = asSync(outcome);
		}
		addAll(this.requestsBySession, report.requestsBySession);
		this.steps.stop = report.stop;
		return report.jobs.map(inPlace);
	}

	/** The api, as far as one session uses it, for as long as the run may take. */
	private askFor(sessionId: string): Ask {
		const deadline = this.startedAt + this.options.maxWaitSeconds * 1_000;
		return (request) => {
			addAll(this.requestsBySession, new Map([[sessionId, 1]]));
			return this.parts.api({ ...request, deadline });
		};
	}

	/** What the run would cost, the pages that were read for it included. */
	private rehearsal(plan: SyncPlan): SyncReport {
		const cost = requestsOf(plan);
		const report = this.report(plan, plan.outcomes);
		const requests = report.requests + cost.requests;
		const requestsBySession = addAll(new Map(report.requestsBySession), cost.bySession);
		const seconds = Math.ceil((10 * requests) / this.parts.api.usage.perSecond) / 10;
		return { ...report, requests, requestsBySession, seconds };
	}

	private withheld(plan: SyncPlan, whyNot: Reason): SyncReport {
		const planned = new Set([
			...plan.additions,
			...[...plan.updates, ...plan.removals].map(({ index }) => index),
		]);
		const outcomes = plan.outcomes.map((outcome, index) =>
			planned.has(index) ? { ...outcome, ...asSync(notSent(whyNot)) } : outcome,
		);
		return this.report(plan, outcomes);
	}

	private report(plan: SyncPlan, outcomes: readonly SyncOutcome[]): SyncReport {
		const { api, clock } = this.parts;
		return {
			plan,
			outcomes,
			jobs: [],
			requests: api.usage.requests - this.requestsBefore,
			requestsBySession: this.requestsBySession,
			seconds: Math.round((clock.now() - this.startedAt) / 100) / 10,
			stop: this.steps.stop,
			unreached: this.unreached,
		};
	}
}

/** What was planned is so, or something else. */
function outcomeOf(done: Done, show: Show = showAll): Partial<SyncOutcome> {
	return 'person' in done ? { person: show(fieldsOf(done.person)) } : asSync(done);
}

/** Adds the second counts to the first. */
function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>) {
	for (const [key, count] of more) counts.set(key, (counts.get(key) ?? 0) + count);
	return counts;
}
