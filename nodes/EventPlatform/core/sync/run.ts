import { Requests, type RunParts } from '../bulk/ending';
import { shortage } from '../bulk/forecast';
import { because, notSent } from '../bulk/outcome';
import { planRun } from '../bulk/plan';
import type { Report } from '../bulk/report';
import { runBulk } from '../bulk/run';
import { stopReach } from '../bulk/submit';
import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { pathTo } from '../http/path';
import type { JsonObject } from '../http/ports';
import { simplify } from '../http/simplify';
import type { Reason } from '../jobs/taskResult';
import {
	asSync,
	costOf,
	planSync,
	sessionsOf,
	tooManyRemovals,
	type Row,
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
	rows: readonly Row[],
	parts: RunParts,
	options: SyncOptions,
): Promise<SyncReport> {
	return await new SyncRun(rows, parts, options).finish();
}

class SyncRun {
	private readonly startedAt: number;
	private readonly requestsBefore: number;
	private readonly requests: Requests;
	private readonly steps: Steps;

	constructor(
		private readonly rows: readonly Row[],
		private readonly parts: RunParts,
		private readonly options: SyncOptions,
	) {
		const { api, clock } = parts;
		this.startedAt = clock.now();
		this.requestsBefore = api.usage.requests;
		this.requests = new Requests(api, this.startedAt + options.maxWaitSeconds * 1_000);
		this.steps = new Steps(parts, this.requests);
	}

	async finish(): Promise<SyncReport> {
		const { removesOthers, rehearses } = this.options;
		const plan = planSync(this.rows, await this.registered(), removesOthers);
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
		const ask = this.requests.askFor(sessionId);
		return await listRecords(ask, path, {}, this.parts.signal).catch((error: unknown) => {
			const reason = because(error, this.parts.explain);
			// What is wrong with one session leaves the others; anything else concerns them all.
			const isItsOwn = error instanceof Failure && stopReach(error) === 'session';
			if (!isItsOwn) this.steps.stop = reason;
			return reason;
		});
	}

	private refusal(plan: SyncPlan): Reason | undefined {
		const tooMany = tooManyRemovals(plan, this.options.mostRemovals);
		if (tooMany !== undefined) return { code: 'too_many_removals', message: tooMany };
		// The lists have just told what is left of the month.
		const { monthlyRemaining } = this.parts.api.usage;
		const message = shortage({ requests: costOf(plan).requests, monthlyRemaining });
		return message === undefined ? undefined : { code: 'quota_spent', message };
	}

	/** Additions first and removals last: a run that ends early has taken nobody away. */
	private async perform(plan: SyncPlan): Promise<SyncReport> {
		const outcomes = [...plan.outcomes];
		const jobs = await this.add(plan, outcomes);
		for (const steps of [plan.updates, plan.removals]) {
			await this.steps.take(steps, ({ index }, done) => {
				const planned = outcomes[index];
				if (planned) outcomes[index] = { ...planned, ...outcomeOf(done) };
			});
		}
		return { ...this.report(plan, outcomes), jobs };
	}

	private async add({ additions }: SyncPlan, outcomes: SyncOutcome[]) {
		const { parts, options, startedAt, requests } = this;
		const bulk = planRun(additions.flatMap((index) => this.rows[index] ?? []));
		if (bulk.chunks.length === 0) return [];
		const passed = (parts.clock.now() - startedAt) / 1_000;
		const maxWaitSeconds = options.maxWaitSeconds - passed;
		const report = await runBulk(bulk, parts, { waits: true, maxWaitSeconds, isolates: true });
		const placeOf = (place: number) => additions[place] ?? -1;
		for (const [place, outcome] of report.outcomes.entries()) {
			outcomes[placeOf(place)] = asSync(outcome);
		}
		for (const [sessionId, count] of report.requestsBySession) {
			requests.bySession.set(sessionId, requests.of(sessionId) + count);
		}
		this.steps.stop = report.stop;
		return report.jobs.map((job) => ({ ...job, people: job.people.map(placeOf) }));
	}

	/** What the run would cost, the pages that were read for it included. */
	private rehearsal(plan: SyncPlan): SyncReport {
		const cost = costOf(plan);
		const report = this.report(plan, plan.outcomes);
		const requests = report.requests + cost.requests;
		const requestsBySession = new Map(report.requestsBySession);
		for (const [sessionId, count] of cost.bySession) {
			requestsBySession.set(sessionId, (requestsBySession.get(sessionId) ?? 0) + count);
		}
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
			requestsBySession: this.requests.bySession,
			seconds: Math.round((clock.now() - this.startedAt) / 100) / 10,
			stop: this.steps.stop,
		};
	}
}

/** What was planned is so, or something else. */
function outcomeOf(done: Done): Partial<SyncOutcome> {
	return 'person' in done ? { person: simplify(done.person) } : asSync(done);
}
