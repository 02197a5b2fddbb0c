/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   plan.ts      who is sent, in requests of fifty; who is invalid, or stands on the list twice
 *   toSend.ts    what is still to be sent; a request that is refused as a whole is divided
 *   submit.ts    sends a request; ../failures/causes.ts says what a failure means for its people
 *   openJobs.ts  the jobs that run on the platform, and when each is read
 *   collect.ts   reads a job in as few requests as can be
 *   assign.ts    whose result is whose
 *   ledger.ts    what became of each person, and what is still open (outcome.ts: what an outcome says)
 *   presence.ts  asks who is registered, where the results leave that open
 *   report.ts    counts and words; forecast.ts: the same before anything is sent
 *
 * This file decides, as long as something is open, what is done next. state.ts holds what a run knows and
 * whether it has been stopped; health.ts how well the platform answers.
 */
import { Cancelled } from '../http/failure';
import type { Clock } from '../http/ports';
import { collect } from './collect';
import { notConfirmed, timeOver } from './outcome';
import type { Plan } from './plan';
import { askWhoIsThere } from './presence';
import type { Report } from './report';
import { RunState, tuning, type RunOptions, type RunParts } from './state';
import { send } from './submit';

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
	tuned = tuning,
): Promise<Report> {
	const { usage } = parts.api;
	const requestsBefore = usage.requests;
	const state = new RunState(plan, parts, options, tuned);
	const startedAt = state.now;
	await new Run(state).finish();
	// What cannot be found out stays as it is, so a failure here ends nothing.
	if (state.isReading && tuned.asksWhoIsThere) await askWhoIsThere(state).catch(() => {});
	return {
		outcomes: state.outcomes.all(),
		jobs: state.outcomes.jobs,
		requests: usage.requests - requestsBefore,
		requestsBySession: state.requestsBySession,
		seconds: Math.round((state.now - startedAt) / 100) / 10,
		stop: state.stopped,
		unreached: state.health.unreached,
	};
}

/** Decides what is done next, until there is nothing left to do. */
class Run {
	private readonly alarm: Alarm;
	private loggedAt: number;

	constructor(private readonly state: RunState) {
		this.alarm = new Alarm(state.parts.clock, state.parts.signal);
		this.loggedAt = state.now;
	}

	async finish(): Promise<void> {
		const { state } = this;
		for (;;) {
			this.startWhatIsDue();
			if (this.isDone()) break;
			await this.alarm.until(this.nextMoment());
			this.tellProgress();
		}
		state.isOver = true;
		const why = state.stopped ?? state.because(new Cancelled());
		for (const { people } of state.toSend.underWay) {
			state.outcomes.settle(people, notConfirmed(why));
		}
		state.giveUp([...state.jobs.open], why);
	}

	private startWhatIsDue(): void {
		const { state } = this;
		const { now } = state;
		if (this.state.parts.signal?.aborted) return state.stop(state.because(new Cancelled()));
		if (now >= state.deadline) return state.stop(timeOver);
		while (this.hasTurn() && now >= state.health.pausedUntil) {
			const shipment = this.maySend() ? state.toSend.take(now) : undefined;
			const job = !shipment && state.isReading ? state.jobs.take(now) : undefined;
			if (!shipment && !job) return;
			const work = shipment ? send(state, shipment) : job && collect(state, job);
			void work?.then(this.alarm.ring);
		}
	}

	private isDone(): boolean {
		const { deadline, isReading, toSend, jobs } = this.state;
		if (this.state.parts.signal?.aborted || this.state.now >= deadline + graceMs) return true;
		return this.underWay === 0 && toSend.size === 0 && !(isReading && jobs.size > 0);
	}

	/** When something will be due; a request that comes back rings earlier. */
	private nextMoment(): number {
		const { deadline, isReading, health, toSend, jobs } = this.state;
		const over = this.state.now >= deadline ? deadline + graceMs : deadline;
		if (!this.hasTurn()) return over;
		const sendAt = this.maySend() ? toSend.readyAt(this.state.now) : Infinity;
		const readAt = isReading ? jobs.dueAt() : Infinity;
		return Math.min(over, Math.max(health.pausedUntil, Math.min(sendAt, readAt)));
	}

	private hasTurn(): boolean {
		const wanted = Math.ceil(slowestAnswerSeconds * this.state.parts.api.usage.perSecond);
		const { least, most } = concurrency;
		const usual = Math.min(most, Math.max(least, wanted));
		return this.underWay < this.state.health.concurrency(usual);
	}

	private maySend(): boolean {
		const { isReading, jobs, toSend } = this.state;
		return !isReading || jobs.hasRoom(toSend.underWay.size);
	}

	private get underWay(): number {
		return this.state.toSend.underWay.size + this.state.jobs.reading.size;
	}

	private tellProgress(): void {
		const { outcomes, jobs, plan } = this.state;
		if (this.state.now - this.loggedAt < logEveryMs) return;
		this.loggedAt = this.state.now;
		this.state.parts.log?.(
			`Bulk registration: ${outcomes.jobs.length - jobs.size} of ${plan.chunks.length} jobs confirmed, ` +
				`${jobs.size} under way, ${this.state.parts.api.usage.requests} requests`,
		);
	}
}

/** Waits for a moment, for `ring` or for a cancel, whichever comes first. */
export class Alarm {
	private wake = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly signal?: AbortSignal,
	) {}

	readonly ring = (): void => this.wake();

	async until(at: number): Promise<void> {
		const enough = new AbortController();
		const rung = new Promise<void>((resolve) => (this.wake = resolve));
		this.signal?.addEventListener('abort', this.ring);
		const waitMs = Math.max(0, at - this.clock.now());
		const slept = waitMs < Infinity && this.clock.sleep(waitMs, enough.signal).catch(() => {});
		await (slept ? Promise.race([rung, slept]) : rung);
		this.signal?.removeEventListener('abort', this.ring);
		// With a reason of its own: the usual one is an error, whose stack would hold the whole run.
		enough.abort('The wait is over');
	}
}
