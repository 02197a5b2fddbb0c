import { Cancelled } from '../http/failure';
import { Alarm } from './alarm';
import { orderProof } from './assign';
import { awaitTuning, OpenJobs } from './await';
import { Reading } from './collect';
import { Ending, Requests, type Owners, type RunParts } from './ending';
import { Health, healthTuning } from './health';
import { notConfirmed, timeOver } from './outcome';
import { Outcomes } from './outcomes';
import type { Plan } from './plan';
import type { Report } from './report';
import { Sending } from './submit';
import { split, ToSend } from './toSend';

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}

/** The mechanisms of the engine as they are; `npm run bench -- bulk ablation` takes away one at a time. */
export const tuning = {
	await: awaitTuning,
	health: healthTuning,
	orderProof,
	split,
	asksWhoIsThere: true,
};

export type Tuning = typeof tuning;

/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
/** So slow may answers be at the pace of section 8 without leaving it unused. */
const slowestAnswerSeconds = 4;
/** Requests under way at once, on a platform that allows very few or very many a second. */
const concurrency = { least: 8, most: 64 };

/** Sends the plan and finds out what became of everyone, with the pace always in use. */
export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	tuned: Tuning = tuning,
): Promise<Report> {
	const { api, clock, explain } = parts;
	const startedAt = clock.now();
	const requestsBefore = api.usage.requests;
	const deadline = options.waits ? startedAt + options.maxWaitSeconds * 1_000 : Infinity;
	const states = {
		plan,
		outcomes: new Outcomes(plan, tuned.orderProof, parts.onJob),
		toSend: new ToSend(plan, options.isolates, tuned.split),
		jobs: new OpenJobs(tuned.await),
		health: new Health(tuned.health),
		requests: new Requests(api, deadline),
		clock,
		explain,
	};
	const ending = new Ending(states, deadline);
	await new Run({ ...states, ending }, parts, tuned.asksWhoIsThere).finish();
	return {
		outcomes: states.outcomes.all(),
		jobs: states.outcomes.jobs,
		requests: api.usage.requests - requestsBefore,
		requestsBySession: states.requests.bySession,
		seconds: Math.round((clock.now() - startedAt) / 100) / 10,
		stop: ending.stop,
	};
}

/** Decides what is done next, until there is nothing left to do. */
class Run {
	private readonly alarm: Alarm;
	private readonly sending: Sending;
	private readonly reading: Reading;
	private loggedAt: number;

	constructor(
		private readonly owners: Owners,
		private readonly parts: RunParts,
		private readonly asksWhoIsThere: boolean,
	) {
		this.alarm = new Alarm(parts.clock, parts.signal);
		this.sending = new Sending(owners);
		this.reading = new Reading(owners);
		this.loggedAt = this.now;
	}

	async finish(): Promise<void> {
		const { ending, outcomes, jobs } = this.owners;
		for (;;) {
			this.startWhatIsDue();
			if (this.isDone()) break;
			await this.alarm.until(this.nextMoment());
			this.tellProgress();
		}
		ending.isOver = true;
		const stop = ending.stop ?? ending.because(new Cancelled());
		for (const { people } of this.sending.underWay) outcomes.settle(people, notConfirmed(stop));
		ending.giveUp(jobs.withdrawAll(), stop);
		// What cannot be found out stays unknown, so a failure here ends nothing.
		const asks = ending.isReading && this.asksWhoIsThere;
		if (asks) await this.reading.askWhoIsThere().catch(() => {});
	}

	private startWhatIsDue(): void {
		const { ending, health, toSend, jobs } = this.owners;
		const { now } = this;
		if (this.parts.signal?.aborted) return ending.stopAll(ending.because(new Cancelled()));
		if (now >= ending.deadline) return ending.stopAll(timeOver);
		while (this.hasTurn() && now >= health.pausedUntil) {
			const shipment = this.maySend() ? toSend.take(now) : undefined;
			const job = !shipment && ending.isReading ? jobs.take(now) : undefined;
			if (!shipment && !job) return;
			const work = shipment ? this.sending.send(shipment) : job && this.reading.read(job);
			void work?.then(this.alarm.ring);
		}
	}

	private isDone(): boolean {
		const { ending, toSend, jobs } = this.owners;
		if (this.parts.signal?.aborted || this.now >= ending.deadline + graceMs) return true;
		const waitsForJobs = ending.isReading && jobs.size > 0;
		return this.underWay === 0 && toSend.size === 0 && !waitsForJobs;
	}

	/** When something will be due; a request that comes back rings earlier. */
	private nextMoment(): number {
		const { ending, health, toSend, jobs } = this.owners;
		const { now } = this;
		const over = now >= ending.deadline ? ending.deadline + graceMs : ending.deadline;
		if (!this.hasTurn()) return over;
		const sendAt = this.maySend() ? toSend.readyAt(now) : Infinity;
		const readAt = ending.isReading ? jobs.dueAt() : Infinity;
		return Math.min(over, Math.max(health.pausedUntil, Math.min(sendAt, readAt)));
	}

	private hasTurn(): boolean {
		const wanted = Math.ceil(slowestAnswerSeconds * this.parts.api.usage.perSecond);
		const { least, most } = concurrency;
		const usual = Math.min(most, Math.max(least, wanted));
		return this.underWay < this.owners.health.concurrency(usual);
	}

	private maySend(): boolean {
		const { ending, jobs } = this.owners;
		return !ending.isReading || jobs.hasRoom(this.sending.underWay.size);
	}

	private get underWay(): number {
		return this.sending.underWay.size + this.reading.underWay;
	}

	private tellProgress(): void {
		const { outcomes, jobs, plan } = this.owners;
		if (this.now - this.loggedAt < logEveryMs) return;
		this.loggedAt = this.now;
		this.parts.log?.(
			`Bulk registration: ${outcomes.jobs.length - jobs.size} of ${plan.chunks.length} jobs confirmed, ` +
				`${jobs.size} under way, ${this.parts.api.usage.requests} requests`,
		);
	}

	private get now(): number {
		return this.parts.clock.now();
	}
}
