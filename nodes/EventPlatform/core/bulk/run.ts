/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   runContext.ts  what a run works with
 *   mechanism.ts   what a benchmark takes away from a run
 *   plan.ts        who is sent; batch.ts: in which request
 *   queue.ts       when the next request leaves; health.ts: how many at once, by how well the platform answers
 *   submit.ts      sends the people of one request
 *   resending.ts   whether people whose request may have arrived are sent again
 *   divide.ts      the parts of a request that was refused as a whole
 *   job.ts         what is known of a job, and when it is read; firstReads.ts: when jobs are read first; jobReading.ts: how
 *   ledger.ts      what became of each person; asks who is registered where the results leave that open
 *   meter.ts       what a run costs, and when its time is over; forecast.ts: the same before anything is sent
 *   report.ts      counts and words
 *
 * This file carries each request of the plan from the first try to send it to the results of its job.
 * ../failures says what a failure means, ../jobs/assign.ts whose result is whose, ../people/outcome.ts what an outcome says.
 */
import { RefusalHistory } from '../failures/refusalHistory';
import { mapConcurrently, unlessAborted } from '../client/concurrently';
import { againAfterMs, longestPauseMs } from '../client/retryPolicy';
import { Cancelled } from '../client/cancelled';
import { Failure } from '../client/failure';
import { type Ask } from '../client/request';
import { mayMeanNotYet } from '../jobs/notYet';
import { TaskReader } from '../jobs/taskReader';
import {
	notConfirmed,
	notSent,
	ownReason,
	reasonOfError,
	refusedTogether,
} from '../people/outcome';
import type { Reason } from '../people/reason';
import type { PendingBatch } from './batch';
import { Divider } from './divide';
import { FirstReads } from './firstReads';
import { Health } from './health';
import { Job } from './job';
import { readOnce } from './jobReading';
import { Ledger } from './ledger';
import { createMeter, type Meter } from './meter';
import type { Plan } from './plan';
import { BulkQueue } from './queue';
import type { Report } from './report';
import { Resending } from './resending';
import type { RunOptions, RunParts } from './runContext';
import { submit } from './submit';

/** Jobs at once. Those of a minute need 150 to use the pace; with 40 they take twice as long (`npm run bench -- bulk ablation`). */
const mostOpen = 300;
const fewOpen = 40;
/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
/** A reason of its own: the usual one is an error, whose stack would hold the whole run. */
const isOver = 'The run is over';

/** The next step of a run: it sends people, or reads their job. */
type Step = PendingBatch | Job;

/** Registers the people of a plan. `meter`: of the run that this one is a part of. */
export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	meter: Meter = createMeter(parts, options.waits ? options.maxWaitSeconds : Infinity),
): Promise<Report> {
	return await new BulkRun(plan, parts, options, meter).carryOut();
}

/** Owns the way of each batch from the first attempt to send it to the results of its job. */
class BulkRun {
	/** Aborted at the end: what comes back later is too late. */
	private readonly over = new AbortController();
	private readonly ledger: Ledger;
	private readonly queue: BulkQueue;
	private readonly divider: Divider;
	private readonly tasks: TaskReader;
	private readonly refusals = new RefusalHistory();
	private readonly firstReads: FirstReads;
	private readonly resending: Resending;
	private loggedAt: number;

	constructor(
		private readonly plan: Plan,
		private readonly parts: RunParts,
		private readonly options: RunOptions,
		private readonly meter: Meter,
	) {
		const { api, apiRoot, clock, sessions, view } = parts;
		const { without } = options;
		this.ledger = new Ledger(plan, apiRoot, without);
		this.resending = new Resending(this.ledger, sessions);
		this.firstReads = new FirstReads(without);
		this.queue = new BulkQueue(clock, api.usage, this.over.signal, new Health(without));
		this.divider = new Divider(plan, without);
		this.tasks = new TaskReader(view);
		this.loggedAt = clock.now();
	}

	async carryOut(): Promise<Report> {
		const { ledger, queue, meter, parts, over } = this;
		const { waits, without } = this.options;
		const most = without === 'manyOpenJobs' ? fewOpen : mostOpen;
		void this.endInTime();
		await mapConcurrently(this.plan.batches, most, (batch) => this.carry(batch));
		over.abort(isOver);
		if (waits && without !== 'askingWhoIsThere' && !queue.reasonToStop({ kind: 'read' })) {
			// Ignore errors: these people are already `unknown`.
			await ledger.findOutWhoIsRegistered(parts, meter).catch(() => {});
		}
		return {
			...meter.spent(),
			outcomes: ledger.all(),
			jobs: ledger.jobs,
			stop: queue.reasonToStop({}),
			unreached: queue.health.unreached,
			publicSessions: ledger.publicSessions,
		};
	}

	/** When time is over nothing more leaves, and what has left may still come back. A cancel waits for nothing. */
	private async endInTime(): Promise<void> {
		const { clock, signal, sessions } = this.parts;
		const { over, queue } = this;
		const either = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
		try {
			await clock.sleep(this.meter.deadline - clock.now(), either);
			queue.stop({ reason: ownReason('time_over') });
			await clock.sleep(graceMs, either);
		} catch (error) {
			if (!over.signal.aborted) queue.stop({ reason: reasonOfError(error, sessions) });
		}
		over.abort(isOver);
	}

	/** Takes a step when its turn comes, and then all that follow from it. */
	private async carry(step: Step): Promise<void> {
		const departure = await this.queue.waitForDeparture(step);
		if (departure.kind === 'never') {
			this.giveUp(step, departure.reason);
			return;
		}
		const next = await this.take(step);
		await Promise.all(next.map((following) => this.carry(following)));
	}

	/** Gives what follows from a step: the same again, parts of it, or the job to read. */
	private async take(step: Step): Promise<Step[]> {
		const sentAt = this.parts.clock.now();
		try {
			return await (step instanceof Job ? this.read(step) : this.send(step));
		} catch (error) {
			return this.stepsAfterError(step, error, sentAt);
		} finally {
			this.queue.recordReturn(step);
			this.logProgress();
		}
	}

	private async send(batch: PendingBatch): Promise<Job[]> {
		const ask = this.askFor(batch);
		// An earlier attempt may have arrived.
		if (batch.lostAt !== undefined && !(await this.resending.isSafe(batch.sessionId, ask))) {
			// The platform has answered what it was asked instead.
			this.queue.health.recordAnswer();
			this.giveUp(batch, ownReason('not_repeated'));
			return [];
		}
		const { id } = await submit(batch, this.plan.people, ask);
		this.queue.health.recordAnswer();
		this.refusals.recordSuccess();
		const job = new Job(id, batch, this.parts.clock.now(), this.firstReads, this.options.without);
		this.ledger.recordJob(job);
		return this.options.waits ? [job] : [];
	}

	private async read(job: Job): Promise<Job[]> {
		const ask = this.askFor(job);
		// A read that fails is repeated by the run, and not below.
		const askOnce: Ask = (request) => ask({ ...request, retry: 'onlyWhenRefused' });
		const reading = await readOnce(job, askOnce, this.tasks);
		this.queue.health.recordAnswer();
		const results = job.recordReading(reading, this.parts.clock.now());
		if (!results) return [job];
		this.ledger.recordResults(job, results);
		return [];
	}

	/** Takes in what an error means for the run, for the session and for the people. */
	private stepsAfterError(step: Step, error: unknown, sentAt: number): Step[] {
		const isRead = step instanceof Job;
		const reason = reasonOfError(error, this.parts.sessions, isRead ? step.id : undefined);
		if (!(error instanceof Failure)) {
			this.queue.stop({ reason });
			// The reason that ended the run first is also why these people are not sent again.
			return [asLost(step, sentAt)];
		}
		// A job that is not found, or whose results are refused, concerns no other; the results may lag behind its end.
		if (isRead && mayMeanNotYet(error)) return this.repeat(step, error, reason);
		const { again: isOutage, person, ends } = this.refusals.meaningOf(error, step.sessionId);
		if (isRead || isOutage) {
			this.queue.health.recordFailure(sentAt, this.parts.clock.now(), error);
			const stops = this.isPointless(error) ? 'run' : ends;
			this.stopAfter(stops, { reason, isOfSendingOnly: false }, step);
			return this.repeat(person === 'perhaps' ? asLost(step, sentAt) : step, error, reason);
		}
		if (error.status !== undefined) this.queue.health.recordAnswer();
		this.stopAfter(ends, { reason, isOfSendingOnly: true }, step);
		return this.stepsAfterRefusal(step, error, reason, ends !== undefined);
	}

	/** A request was refused as a whole: its parts are sent, or its people have an outcome. */
	private stepsAfterRefusal(
		batch: PendingBatch,
		failure: Failure,
		reason: Reason,
		endsSending: boolean,
	): PendingBatch[] {
		const parts = !endsSending && this.options.isolates ? this.divider.divide(batch, failure) : [];
		if (parts.length > 0) return parts;
		// It is refused now, but an earlier attempt may have been accepted.
		if (endsSending || batch.lostAt !== undefined) {
			this.giveUp(batch, reason);
			return [];
		}
		const outcome = refusedTogether(failure, batch.people.length, this.parts.sessions);
		this.ledger.recordOutcome(batch.people, outcome);
		return [];
	}

	private stopAfter(
		scope: 'run' | 'session' | undefined,
		stop: { reason: Reason; isOfSendingOnly: boolean },
		{ sessionId }: Step,
	): void {
		if (scope === 'run') this.queue.stop(stop);
		if (scope === 'session') this.queue.stop({ ...stop, sessionId });
	}

	/** Gives the step once more, as long as it has not failed too often. */
	private repeat(step: Step, { retryAt = 0 }: Failure, reason: Reason): Step[] {
		const failures = (step instanceof Job ? step.failedReads : (step.failedAttempts ?? 0)) + 1;
		const againMs = againAfterMs('shipment', failures);
		if (againMs === undefined) {
			this.giveUp(step, reason);
			return [];
		}
		const notBefore = Math.max(retryAt, this.parts.clock.now() + againMs);
		if (step instanceof Job) return [step.recordFailedRead(failures, notBefore)];
		return [{ ...step, kind: 'again', failedAttempts: failures, dueAt: () => notBefore }];
	}

	/** Not sent, or not again: these people are on the platform only if what was sent before has arrived. */
	private giveUp(step: Step, reason: Reason): void {
		const jobId = step instanceof Job ? step.id : undefined;
		const isSent = jobId !== undefined || step.lostAt !== undefined;
		const outcome = isSent ? notConfirmed(reason, jobId) : notSent(reason);
		this.ledger.recordOutcome(step.people, outcome);
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	private isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.parts.clock.now() + longestPauseMs, this.meter.deadline);
		return retryAt > latest || this.queue.health.isHopeless;
	}

	private logProgress(): void {
		const { clock, log, api } = this.parts;
		if (clock.now() - this.loggedAt < logEveryMs) return;
		this.loggedAt = clock.now();
		const { jobs } = this.ledger;
		const confirmed = jobs.filter(({ status }) => status !== 'processing').length;
		log?.(
			`Bulk registration: ${confirmed} of ${this.plan.batches.length} jobs confirmed, ` +
				`${jobs.length - confirmed} under way, ${api.usage.requests} requests`,
		);
	}

	/** The api, as far as one session uses it, until the run is over. */
	private askFor({ sessionId }: Step): Ask {
		const ask = this.meter.askFor(sessionId);
		const refuse = () => Promise.reject(new Cancelled());
		return (request) => unlessAborted(this.over.signal, ask(request), refuse);
	}
}

/** The platform may have acted on what was sent. A job that was accepted has arrived anyway. */
function asLost(step: Step, sentAt: number): Step {
	return step instanceof Job ? step : { ...step, lostAt: step.lostAt ?? sentAt };
}
