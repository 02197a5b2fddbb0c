import type { Failure } from '../http/failure';
import { longestPauseMs, type Ask, type Api, type Clock } from '../http/ports';
import type { Show } from '../records/simplify';
import type { Reason } from '../jobs/task';
import { TaskReader } from '../jobs/tasks';
import { orderProof } from './assign';
import { awaitTuning, OpenJobs, type OpenJob } from './openJobs';
import { Health, healthTuning } from './health';
import { because, notConfirmed, notSent, type Explain } from './outcome';
import { Ledger, type SentJob } from './ledger';
import type { Plan } from './plan';
import { Meanings } from './meanings';
import { split, ToSend, type Shipment } from './toSend';

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

/** The mechanisms of the engine as they are; `npm run bench -- bulk ablation` takes away one at a time. */
export const tuning = {
	await: awaitTuning,
	health: healthTuning,
	orderProof,
	split,
	asksWhoIsThere: true,
};

export type Tuning = typeof tuning;

/** What a run knows, each piece with its owner, and whether and why nothing more is sent or read. */
export class RunState {
	readonly outcomes: Ledger;
	readonly toSend: ToSend;
	readonly jobs: OpenJobs;
	readonly health: Health;
	readonly tasks: TaskReader;
	/** Without those that are repeated below the run. */
	readonly requestsBySession = new Map<string, number>();
	/** Infinity where nobody waits. */
	readonly deadline: number;
	isReading: boolean;
	/** Why nothing more is sent at all. */
	stopped?: Reason;
	/** What comes back now is too late. */
	isOver = false;
	readonly meanings = new Meanings();

	constructor(
		readonly plan: Plan,
		readonly parts: RunParts,
		private readonly options: RunOptions,
		tuned = tuning,
	) {
		this.deadline = options.waits ? this.now + options.maxWaitSeconds * 1_000 : Infinity;
		this.isReading = options.waits;
		this.tasks = new TaskReader(parts.show);
		this.outcomes = new Ledger(plan, tuned.orderProof, parts.onJob);
		this.toSend = new ToSend(plan, options.isolates, tuned.split);
		this.jobs = new OpenJobs(tuned.await);
		this.health = new Health(tuned.health);
	}

	get now(): number {
		return this.parts.clock.now();
	}

	/** The api, as far as one session uses it. */
	askFor(sessionId: string): Ask {
		const { requestsBySession, deadline, parts } = this;
		return (request) => {
			requestsBySession.set(sessionId, (requestsBySession.get(sessionId) ?? 0) + 1);
			return parts.api(deadline < Infinity ? { ...request, deadline } : request);
		};
	}

	because(error: unknown, jobId?: string): Reason {
		return because(error, this.parts.explain, jobId);
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

	drop({ people, lostAt }: Shipment, why: Reason): void {
		this.outcomes.settle(people, lostAt === undefined ? notSent(why) : notConfirmed(why));
	}

	/** Their people are unknown, where they are waited for. */
	giveUp(jobs: readonly OpenJob[], why: Reason): void {
		if (!this.options.waits) return;
		for (const { sent } of jobs) this.outcomes.settle(sent.people, notConfirmed(why, sent.id));
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.now + longestPauseMs, this.deadline);
		return retryAt > latest || this.health.isHopeless;
	}
}
