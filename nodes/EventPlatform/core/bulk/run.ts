/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   plan.ts      who is sent, in requests of fifty; who is invalid, or stands on the list twice
 *   toSend.ts    what is still to be sent; a request that is refused as a whole is divided
 *   openJobs.ts  the jobs that run on the platform, and when each is read
 *   requests.ts  the requests: sends people, and reads a job in as few requests as can be
 *   assign.ts    whose result is whose
 *   ledger.ts    what became of each person, and what is still open (outcome.ts: what an outcome says)
 *   presence.ts  asks who is registered, where the results leave that open
 *   health.ts    how well the platform answers, and whom its refusals concern
 *   meter.ts     what the run costs, and when its time is over
 *   report.ts    counts and words; the same before anything is sent
 *
 * This file decides, as long as something is open, what is done next, and what an answer means for the run.
 * What a failure means for people, sessions and runs stands in ../failures/causes.ts.
 */
import { Cancelled, Failure } from '../http/failure';
import { longestPauseMs, type Api, type Ask, type Clock } from '../http/ports';
import type { Reason } from '../jobs/task';
import { TaskReader } from '../jobs/tasks';
import type { Show } from '../records/simplify';
import { Alarm } from './alarm';
import { Health, Meanings } from './health';
import { Ledger, type SentJob } from './ledger';
import { Meter } from './meter';
import { OpenJobs, type OpenJob } from './openJobs';
import { because, notConfirmed, notSent, refusedTogether, timeOver, type Explain } from './outcome';
import type { Plan } from './plan';
import { askWhoIsThere } from './presence';
import type { Report } from './report';
import { readJob, submit } from './requests';
import { ToSend, type Shipment } from './toSend';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
	/** What is shown of a person: nothing else of the record is held. Absent: all of it. */
	show?: Show;
	/** The platform has accepted a job. */
	onJob?: (job: SentJob) => void;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}

/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;

/** Sends the plan and finds out what became of everyone, with the pace always in use. */
export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	/** Of the run that this one is a part of. */
	meter?: Meter,
): Promise<Report> {
	return await new BulkRun(plan, parts, options, meter).finish();
}

/** Holds together what a run knows, each piece with its owner. */
export class BulkRun {
	readonly outcomes: Ledger;
	readonly toSend: ToSend;
	readonly jobs = new OpenJobs();
	readonly health = new Health();
	/** Off: nobody waits, or reading is refused too. */
	isReading: boolean;
	/** Why nothing more is sent at all. */
	stopped?: Reason;
	/** What comes back now is too late. */
	private isOver = false;
	private readonly meanings = new Meanings();
	private readonly tasks: TaskReader;
	private readonly alarm: Alarm;
	private loggedAt: number;

	constructor(
		readonly plan: Plan,
		readonly parts: RunParts,
		private readonly options: RunOptions,
		readonly meter = new Meter(parts, options.waits ? options.maxWaitSeconds : Infinity),
	) {
		this.isReading = options.waits;
		this.outcomes = new Ledger(plan, parts.onJob);
		this.toSend = new ToSend(plan, options.isolates);
		this.tasks = new TaskReader(parts.show);
		this.alarm = new Alarm(parts.clock, parts.signal);
		this.loggedAt = this.now;
	}

	async finish(): Promise<Report> {
		const { outcomes } = this;
		for (;;) {
			this.startWhatIsDue();
			if (this.isDone()) break;
			await this.alarm.until(this.nextMoment());
			this.tellProgress();
		}
		this.isOver = true;
		const why = this.stopped ?? this.because(new Cancelled());
		for (const { people } of this.toSend.underWay) outcomes.settle(people, notConfirmed(why));
		this.giveUp([...this.jobs.open], why);
		// Ignore errors: these people are already `unknown`.
		if (this.isReading) await askWhoIsThere(this).catch(() => {});
		return {
			...this.meter.spent(),
			outcomes: outcomes.all(),
			jobs: outcomes.jobs,
			stop: this.stopped,
			unreached: this.health.unreached,
		};
	}

	get now(): number {
		return this.parts.clock.now();
	}

	private startWhatIsDue(): void {
		const { now } = this;
		if (this.parts.signal?.aborted) return this.stop(this.because(new Cancelled()));
		if (now >= this.meter.deadline) return this.stop(timeOver);
		while (this.hasTurn() && now >= this.health.pausedUntil) {
			const work = this.startNext(now);
			if (!work) return;
			void work.then(this.alarm.ring);
		}
	}

	private startNext(now: number): Promise<void> | undefined {
		const shipment = this.maySend() ? this.toSend.take(now) : undefined;
		if (shipment) return this.send(shipment);
		const job = this.isReading ? this.jobs.take(now) : undefined;
		return job && this.collect(job);
	}

	private isDone(): boolean {
		if (this.parts.signal?.aborted || this.now >= this.meter.deadline + graceMs) return true;
		const isWaiting = this.toSend.size > 0 || (this.isReading && this.jobs.size > 0);
		return this.underWay === 0 && !isWaiting;
	}

	/** When something will be due; a request that comes back rings earlier. */
	private nextMoment(): number {
		const { now } = this;
		const { deadline } = this.meter;
		const over = now >= deadline ? deadline + graceMs : deadline;
		if (!this.hasTurn()) return over;
		const sendAt = this.maySend() ? this.toSend.readyAt(now) : Infinity;
		const readAt = this.isReading ? this.jobs.dueAt() : Infinity;
		return Math.min(over, Math.max(this.health.pausedUntil, Math.min(sendAt, readAt)));
	}

	private hasTurn(): boolean {
		return this.underWay < this.health.concurrency(this.parts.api.usage.perSecond);
	}

	private maySend(): boolean {
		return !this.isReading || this.jobs.hasRoom(this.toSend.underWay.size);
	}

	private get underWay(): number {
		return this.toSend.underWay.size + this.jobs.reading.size;
	}

	private tellProgress(): void {
		const { outcomes, jobs, plan, now } = this;
		if (now - this.loggedAt < logEveryMs) return;
		this.loggedAt = now;
		this.parts.log?.(
			`Bulk registration: ${outcomes.jobs.length - jobs.size} of ${plan.chunks.length} jobs confirmed, ` +
				`${jobs.size} under way, ${this.parts.api.usage.requests} requests`,
		);
	}

	async send(shipment: Shipment): Promise<void> {
		const { sessionId, people, lostAt } = shipment;
		const sentAt = this.now;
		try {
			const job = await submit(shipment, this.plan.people, this.meter.askFor(sessionId));
			if (this.isOver) return;
			this.health.answered();
			this.meanings.isAllowed();
			this.jobs.add(this.outcomes.accepted(job.id, sessionId, people, lostAt), this.now);
		} catch (error) {
			if (this.isOver) return;
			const why = this.because(error);
			if (error instanceof Failure) return this.notAccepted(shipment, error, why, sentAt);
			this.outcomes.settle(people, notConfirmed(why));
			this.stop(why);
		} finally {
			this.toSend.underWay.delete(shipment);
		}
	}

	private notAccepted(shipment: Shipment, failure: Failure, why: Reason, sentAt: number): void {
		const { sessionId, people, lostAt } = shipment;
		const { again: isWorthTrying, person, ends } = this.meanings.of(failure, sessionId);
		if (isWorthTrying) {
			this.health.failed(sentAt, this.now, failure);
			const again = { ...shipment, lostAt: lostAt ?? (person === 'perhaps' ? sentAt : undefined) };
			const isPointless = this.isPointless(failure);
			if (!isPointless && this.toSend.sendAgain(again, this.now, failure.retryAt)) return;
			this.drop(again, why);
			if (isPointless) this.stop(why);
			return;
		}
		if (failure.status !== undefined) this.health.answered();
		if (ends !== undefined) {
			this.drop(shipment, why);
			// Jobs that were accepted are still read, as long as reading is not refused too.
			return this.stopSending(why, ends === 'run' ? undefined : sessionId);
		}
		if (this.toSend.sendParts(shipment, failure)) return;
		// Refused now, but an earlier try may have been accepted.
		const refusal = refusedTogether(failure, people.length, this.parts.explain);
		this.outcomes.settle(people, lostAt === undefined ? refusal : notConfirmed(why));
	}

	/** Reads a job, and tells the owners what became of it. */
	async collect(job: OpenJob): Promise<void> {
		const { sent } = job;
		const sentAt = this.now;
		// A read that fails is tried again by the run: both together would multiply the attempts.
		const askOnce: Ask = (request) =>
			this.meter.askFor(sent.sessionId)({ ...request, isTriedBySender: true });
		try {
			const found = await readJob(job, askOnce, this.tasks);
			if (this.isOver) return;
			this.health.answered();
			this.outcomes.sawState(sent, found.state);
			if (this.jobs.found(job, found, this.now)) this.outcomes.close(sent, found.results ?? []);
		} catch (error) {
			if (!this.isOver) this.notRead(job, error, sentAt);
		}
	}

	private notRead(job: OpenJob, error: unknown, sentAt: number): void {
		const { sessionId } = job.sent;
		const why = this.because(error, job.id);
		const failure = error instanceof Failure ? error : undefined;
		if (!this.jobs.failed(job, this.now, failure?.retryAt)) this.giveUp([job], why);
		if (!failure) return this.stop(why);
		// That one job is not found concerns no other.
		if (failure.reason === 'not_found') return;
		this.health.failed(sentAt, this.now, failure);
		const ends = this.isPointless(failure) ? 'run' : this.meanings.of(failure, sessionId).ends;
		if (ends !== undefined) this.stop(why, ends === 'run' ? undefined : sessionId);
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.now + longestPauseMs, this.meter.deadline);
		return retryAt > latest || this.health.isHopeless;
	}

	/** Nothing more is sent: at all, or for one session. What is under way is still read. */
	private stopSending(why: Reason, sessionId?: string): void {
		if (sessionId === undefined) this.stopped ??= why;
		for (const shipment of this.toSend.withdraw(sessionId)) this.drop(shipment, why);
	}

	/** Nothing more is sent or read: at all, or for one session. */
	private stop(why: Reason, sessionId?: string): void {
		this.stopSending(why, sessionId);
		if (sessionId === undefined) this.isReading = false;
		this.giveUp(this.jobs.withdraw(sessionId), why);
	}

	private drop({ people, lostAt }: Shipment, why: Reason): void {
		this.outcomes.settle(people, lostAt === undefined ? notSent(why) : notConfirmed(why));
	}

	/** Their people are unknown, where they are waited for. */
	private giveUp(jobs: readonly OpenJob[], why: Reason): void {
		if (!this.options.waits) return;
		for (const { sent } of jobs) this.outcomes.settle(sent.people, notConfirmed(why, sent.id));
	}

	private because(error: unknown, jobId?: string): Reason {
		return because(error, this.parts.explain, jobId);
	}
}
