import type { Failure } from '../http/failure';
import { longestPauseMs, type Ask, type Api, type Clock } from '../http/ports';
import type { Reason } from '../jobs/taskResult';
import { TaskReader } from '../jobs/tasks';
import { orderProof } from './assign';
import { awaitTuning, OpenJobs, type OpenJob } from './await';
import { Health, healthTuning } from './health';
import { because, notConfirmed, notSent, type Explain } from './outcome';
import { Outcomes } from './outcomes';
import type { Plan } from './plan';
import { split, ToSend, type Shipment } from './toSend';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
}

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

/** Owns the count of requests by session, without those that are repeated below the run. */
export class Requests {
	readonly bySession = new Map<string, number>();

	constructor(
		private readonly api: Api,
		private readonly deadline: number,
	) {}

	of(sessionId: string): number {
		return this.bySession.get(sessionId) ?? 0;
	}

	/** The api, as far as one session uses it. */
	askFor(sessionId: string): Ask {
		return (request) => {
			this.bySession.set(sessionId, this.of(sessionId) + 1);
			return this.api(this.deadline < Infinity ? { ...request, deadline: this.deadline } : request);
		};
	}
}

/** What a run knows, each piece with its owner, and whether and why nothing more is sent or read. */
export class RunState {
	readonly outcomes: Outcomes;
	readonly toSend: ToSend;
	readonly jobs: OpenJobs;
	readonly health: Health;
	readonly requests: Requests;
	readonly tasks = new TaskReader();
	readonly clock: Clock;
	readonly explain: Explain;
	/** Infinity where nobody waits. */
	readonly deadline: number;
	isReading: boolean;
	/** Why nothing more is sent at all. */
	stopped?: Reason;
	/** What comes back now is too late. */
	isOver = false;

	constructor(
		readonly plan: Plan,
		{ api, clock, explain }: RunParts,
		private readonly options: RunOptions,
		tuned: Tuning,
	) {
		this.clock = clock;
		this.explain = explain;
		this.deadline = options.waits ? clock.now() + options.maxWaitSeconds * 1_000 : Infinity;
		this.isReading = options.waits;
		this.outcomes = new Outcomes(plan, tuned.orderProof);
		this.toSend = new ToSend(plan, options.isolates, tuned.split);
		this.jobs = new OpenJobs(tuned.await);
		this.health = new Health(tuned.health);
		this.requests = new Requests(api, this.deadline);
	}

	because(error: unknown, jobId?: string): Reason {
		return because(error, this.explain, jobId);
	}

	/** Nothing more is sent: at all, or for one session. What is under way is still read. */
	stopSending(why: Reason, sessionId?: string): void {
		if (sessionId === undefined) this.stopped ??= why;
		for (const shipment of this.toSend.withdraw(sessionId)) this.drop(shipment, why);
	}

	/** Nothing more is sent or read: at all, or for one session. */
	stop(why: Reason, sessionId?: string): void {
		this.stopSending(why, sessionId);
		if (sessionId === undefined) this.isReading = false;
		this.giveUp(this.jobs.withdraw(sessionId), why);
	}

	drop({ people, maybeArrived }: Shipment, why: Reason): void {
		this.outcomes.settle(people, maybeArrived ? notConfirmed(why) : notSent(why));
	}

	/** Their people are unknown, where they are waited for. */
	giveUp(jobs: readonly OpenJob[], why: Reason): void {
		if (!this.options.waits) return;
		for (const { sent } of jobs) this.outcomes.settle(sent.people, notConfirmed(why, sent.id));
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.clock.now() + longestPauseMs, this.deadline);
		return retryAt > latest || this.health.isHopeless;
	}
}
