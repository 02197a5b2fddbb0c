/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   plan.ts      what a run works with; who is sent, in requests of fifty, and who is not
 *   turns.ts     when the next request leaves, and how many at once, by how well the platform answers
 *   job.ts       sends people, and reads their job in as few requests as can be; and when
 *   divide.ts    the parts of a request that was refused as a whole
 *   ledger.ts    what became of each person; asks who is registered where the results leave that open
 *   assign.ts    whose result is whose
 *   outcome.ts   what an outcome says
 *   report.ts    what a run costs, counts and words; the same before anything is sent
 *
 * This file carries each request of the plan from the first try to send it to the results of its job.
 * ../failures says what a failure means.
 */
import { Meanings } from '../failures/meanings';
import { mapConcurrently, unlessAborted } from '../http/collections';
import { Cancelled, Failure } from '../http/failure';
import { againAfterMs } from '../http/retry';
import { longestPauseMs, type Ask } from '../http/ports';
import { TaskReader, type Reason } from '../jobs/task';
import { Divider, type Shipment } from './divide';
import { FirstReads, Job, submit } from './job';
import { Ledger } from './ledger';
import { because, notConfirmed, notSent, own, refusedTogether } from './outcome';
import type { Plan, RunOptions, RunParts } from './plan';
import { createMeter, type Meter, type Report } from './report';
import { Turns } from './turns';

/** Jobs at once. Those of a minute need 150 to use the pace; with 40 they take twice as long (`npm run bench -- bulk ablation`). */
const mostOpen = 300;
/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
/** A reason of its own: the usual one is an error, whose stack would hold the whole run. */
const isOver = 'The run is over';

export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	/** Of the run that this one is a part of. */
	meter = createMeter(parts, options.waits ? options.maxWaitSeconds : Infinity),
): Promise<Report> {
	return await new BulkRun(plan, parts, options, meter).finish();
}

/** People on their way to the platform, or their job. */
type Step = Shipment | Job;

class BulkRun {
	private readonly outcomes: Ledger;
	private readonly meanings = new Meanings();
	private readonly divider: Divider;
	private readonly firstReads = new FirstReads();
	private readonly tasks: TaskReader;
	private readonly turns: Turns;
	/** Aborted at the end: what comes back later is too late. */
	private readonly over = new AbortController();
	private loggedAt: number;

	constructor(
		private readonly plan: Plan,
		private readonly parts: RunParts,
		private readonly options: RunOptions,
		private readonly meter: Meter,
	) {
		const { api, clock, show, onJob } = parts;
		this.outcomes = new Ledger(plan, onJob);
		this.divider = new Divider(plan);
		this.tasks = new TaskReader(show);
		this.turns = new Turns(clock, api.usage, this.over.signal);
		this.loggedAt = this.now;
	}

	async finish(): Promise<Report> {
		const { plan, parts, outcomes, turns, meter } = this;
		void this.end();
		await mapConcurrently(plan.chunks, mostOpen, (chunk) => this.carry(chunk));
		this.over.abort(isOver);
		const isReading = this.options.waits && !turns.whyNot({ kind: 'read' });
		// Ignore errors: these people are already `unknown`.
		if (isReading) await outcomes.askWhoIsThere(parts, meter).catch(() => {});
		return {
			...meter.spent(),
			outcomes: outcomes.all(),
			jobs: outcomes.jobs,
			stop: turns.stopped,
			unreached: this.turns.health.unreached,
		};
	}

	/** When time is over nothing more leaves, and what has left may still come back. A cancel waits for nothing. */
	private async end(): Promise<void> {
		const { clock, signal } = this.parts;
		const either = AbortSignal.any([this.over.signal, ...(signal ? [signal] : [])]);
		try {
			await clock.sleep(this.meter.deadline - this.now, either);
			this.turns.end({ why: own('time_over') });
			await clock.sleep(graceMs, either);
		} catch (error) {
			if (!this.over.signal.aborted) this.turns.end({ why: because(error, this.parts.explain) });
		}
		this.over.abort(isOver);
	}

	private async carry(step: Step): Promise<void> {
		const whyNot = await this.turns.next(step);
		const next = whyNot ? this.giveUp(step, whyNot) : await this.take(step);
		await Promise.all(next.map((one) => this.carry(one)));
	}

	/** Gives what follows from it: the same again, parts of it, or the job to read. */
	private async take(step: Step): Promise<Step[]> {
		const sentAt = this.now;
		try {
			return await (step instanceof Job ? this.read(step) : this.send(step));
		} catch (error) {
			return this.failed(step, error, sentAt);
		} finally {
			this.turns.done(step);
			this.log();
		}
	}

	private async send(shipment: Shipment): Promise<Job[]> {
		const { id } = await submit(shipment, this.plan.people, this.askFor(shipment));
		this.turns.health.answered();
		this.meanings.isAllowed();
		const job = new Job(id, shipment, this.now, this.firstReads);
		this.outcomes.accepted(job);
		return this.options.waits ? [job] : [];
	}

	private async read(job: Job): Promise<Job[]> {
		const ask = this.askFor(job);
		// A read that fails is tried again by the run, and not below.
		const askOnce: Ask = (request) => ask({ ...request, isTriedBySender: true });
		const found = await job.read(askOnce, this.tasks);
		this.turns.health.answered();
		const results = job.found(found, this.now);
		if (!results) return [job];
		this.outcomes.close(job, results);
		return [];
	}

	/** Takes in what a failure means for the run, for the session and for the people. */
	private failed(step: Step, error: unknown, sentAt: number): Step[] {
		const { sessionId, people } = step;
		const { explain } = this.parts;
		const isRead = step instanceof Job;
		const why = because(error, explain, isRead ? step.id : undefined);
		const lost = isRead ? step : { ...step, lostAt: step.lostAt ?? sentAt };
		if (!(error instanceof Failure)) {
			this.turns.end({ why });
			// What ended the run first is why they get no other turn.
			return [lost];
		}
		// That one job is not found concerns no other.
		if (isRead && error.reason === 'not_found') return this.again(step, error, why);
		const { again, person, ends } = this.meanings.of(error, sessionId);
		const isOfSending = !isRead && !again;
		if (!isOfSending) this.turns.health.failed(sentAt, this.now, error);
		else if (error.status !== undefined) this.turns.health.answered();
		const stops = !isOfSending && this.isPointless(error) ? 'run' : ends;
		if (stops) {
			this.turns.end({ why, isOfSending, sessionId: stops === 'session' ? sessionId : undefined });
		}
		if (!isOfSending) return this.again(person === 'perhaps' ? lost : step, error, why);
		const parts = !ends && this.options.isolates ? this.divider.partsOf(step, error) : [];
		if (parts.length > 0) return parts;
		// Refused now, but an earlier try may have been accepted.
		if (ends || step.lostAt !== undefined) return this.giveUp(step, why);
		this.outcomes.settle(people, refusedTogether(error, people.length, explain));
		return [];
	}

	private again(step: Step, { retryAt = 0 }: Failure, why: Reason): Step[] {
		const tries = (step.tries ?? 0) + 1;
		const againMs = againAfterMs('shipment', tries);
		if (againMs === undefined) return this.giveUp(step, why);
		const notBefore = Math.max(retryAt, this.now + againMs);
		if (step instanceof Job) return [step.again(tries, notBefore)];
		return [{ ...step, kind: 'again', tries, dueAt: () => notBefore }];
	}

	/** Not sent, or not again: they are on the platform only if what was sent before has arrived. */
	private giveUp(step: Step, why: Reason): [] {
		const jobId = step instanceof Job ? step.id : undefined;
		const isSent = jobId !== undefined || step.lostAt !== undefined;
		this.outcomes.settle(step.people, isSent ? notConfirmed(why, jobId) : notSent(why));
		return [];
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	private isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.now + longestPauseMs, this.meter.deadline);
		return retryAt > latest || this.turns.health.isHopeless;
	}

	private log(): void {
		if (this.now - this.loggedAt < logEveryMs) return;
		this.loggedAt = this.now;
		const { jobs } = this.outcomes;
		const confirmed = jobs.filter(({ status }) => status !== 'processing').length;
		this.parts.log?.(
			`Bulk registration: ${confirmed} of ${this.plan.chunks.length} jobs confirmed, ` +
				`${jobs.length - confirmed} under way, ${this.parts.api.usage.requests} requests`,
		);
	}

	/** The api, as far as one session uses it, until the run is over. */
	private askFor({ sessionId }: Step): Ask {
		const ask = this.meter.askFor(sessionId);
		const tooLate = () => Promise.reject(new Cancelled());
		return (request) => unlessAborted(this.over.signal, ask(request), tooLate);
	}

	private get now(): number {
		return this.parts.clock.now();
	}
}
