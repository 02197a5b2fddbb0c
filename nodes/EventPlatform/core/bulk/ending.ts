import type { Failure } from '../http/failure';
import { longestPauseMs, type Ask, type Api, type Clock } from '../http/ports';
import type { Reason } from '../jobs/taskResult';
import type { OpenJob, OpenJobs } from './await';
import type { Health } from './health';
import { because, notConfirmed, notSent, type Explain } from './outcome';
import type { Outcomes, SentJob } from './outcomes';
import type { Plan } from './plan';
import type { Shipment, ToSend } from './toSend';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
	/** The platform has accepted a job. */
	onJob?: (job: SentJob) => void;
}

/** Each owns one piece of what a run knows; the others ask it or tell it. */
export interface Owners {
	readonly plan: Plan;
	readonly outcomes: Outcomes;
	readonly toSend: ToSend;
	readonly jobs: OpenJobs;
	readonly health: Health;
	readonly requests: Requests;
	readonly ending: Ending;
	readonly clock: Clock;
	readonly explain: Explain;
}

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

/** Owns whether, and why, nothing more is sent or read. */
export class Ending {
	/** Why nothing more is sent at all. */
	stop?: Reason;
	/** What comes back now is too late. */
	isOver = false;
	isReading: boolean;

	constructor(
		private readonly owners: Omit<Owners, 'ending'>,
		/** Infinity where nobody waits. */
		readonly deadline: number,
	) {
		this.isReading = this.waits;
	}

	private get waits(): boolean {
		return this.deadline < Infinity;
	}

	because(error: unknown, jobId?: string): Reason {
		return because(error, this.owners.explain, jobId);
	}

	/** Nothing more is sent: at all, or for one session. What is under way is still read. */
	stopSending(stop: Reason, sessionId?: string): void {
		if (sessionId === undefined) this.stop ??= stop;
		for (const shipment of this.owners.toSend.withdraw(sessionId)) this.drop(shipment, stop);
	}

	/** Nothing more is sent or read for one session. */
	stopSession(stop: Reason, sessionId: string): void {
		this.stopSending(stop, sessionId);
		this.giveUp(this.owners.jobs.withdraw(sessionId), stop);
	}

	stopAll(stop: Reason): void {
		this.stopSending(stop);
		this.isReading = false;
		this.giveUp(this.owners.jobs.withdraw(), stop);
	}

	drop({ people, maybeArrived }: Shipment, stop: Reason): void {
		this.owners.outcomes.settle(people, maybeArrived ? notConfirmed(stop) : notSent(stop));
	}

	/** Their people are unknown, where they are waited for. */
	giveUp(jobs: readonly OpenJob[], stop: Reason): void {
		if (!this.waits) return;
		for (const { sent } of jobs) {
			this.owners.outcomes.settle(sent.people, notConfirmed(stop, sent.id));
		}
	}

	/** The platform asks for a longer pause than a run waits. */
	isTooLate({ retryAt = 0 }: Failure): boolean {
		return retryAt > Math.min(this.owners.clock.now() + longestPauseMs, this.deadline);
	}
}
