import type { Cause, Failure } from '../http/failure';
import type { Api, Clock } from '../http/ports';
import { JobsUnderWay, type OpenJob } from './jobsUnderWay';
import { Knowledge } from './knowledge';
import { Ledger } from './ledger';
import type { Plan } from './plan';
import type { Sender } from './sender';
import { Shipments, type Shipment } from './shipments';
import { Weather } from './weather';
import { notConfirmed, notSent, type Stop } from './words';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}

const longestPauseMs = 120_000;

/** Where a run stands: what those who send and those who read both know and change. */
export class Course {
	readonly knowledge = new Knowledge();
	readonly weather = new Weather();
	readonly ledger: Ledger;
	readonly shipments: Shipments;
	readonly jobs: JobsUnderWay;
	readonly startedAt: number;
	/** Infinity where nobody waits. */
	readonly deadline: number;
	readonly requestsBySession = new Map<string, number>();
	/** Why nothing more is sent at all. */
	stop?: Stop;
	isReading: boolean;
	/** What comes back now is too late. */
	isOver = false;

	constructor(
		readonly plan: Plan,
		readonly parts: RunParts,
		readonly options: RunOptions,
	) {
		this.startedAt = this.now;
		this.isReading = options.waits;
		this.deadline = options.waits ? this.startedAt + options.maxWaitSeconds * 1_000 : Infinity;
		this.ledger = new Ledger(plan);
		this.shipments = new Shipments(plan.chunks);
		this.jobs = new JobsUnderWay(this.knowledge.tempo, this.deadline - 1_000);
	}

	get now(): number {
		return this.parts.clock.now();
	}

	/** For requests; undefined where there is none. */
	get requestDeadline(): number | undefined {
		return this.options.waits ? this.deadline : undefined;
	}

	apiFor(sessionId: string): Sender {
		return (request) => {
			const before = this.requestsBySession.get(sessionId) ?? 0;
			this.requestsBySession.set(sessionId, before + 1);
			return this.parts.api(request);
		};
	}

	/** Nothing more is sent: at all, or for one session. What is under way is still read. */
	stopSending(stop: Stop, sessionId?: string): void {
		if (sessionId === undefined) this.stop ??= stop;
		for (const shipment of this.shipments.abandon(sessionId)) this.drop(shipment, stop);
	}

	stopAll(stop: Stop): void {
		this.stopSending(stop);
		this.isReading = false;
		this.giveUp(this.jobs.abandon(), stop);
	}

	drop({ people, maybeArrived }: Shipment, stop: Stop): void {
		this.ledger.settle(people, maybeArrived ? notConfirmed(stop) : notSent(stop));
	}

	/** Their people are unknown, where they are waited for. */
	giveUp(jobs: readonly OpenJob[], stop: Stop): void {
		if (!this.options.waits) return;
		for (const { sent } of jobs) this.ledger.settle(sent.people, notConfirmed(stop, sent.id));
	}

	/** The platform asks for a pause that nobody sits through. */
	isTooLate({ retryAt = 0 }: Failure): boolean {
		return retryAt > Math.min(this.now + longestPauseMs, this.deadline);
	}
}

/** What holds for every other read as well. */
export const endsReading: ReadonlySet<Cause> = new Set<Cause>([
	'unauthorized',
	'reconnect',
	'missing_scope',
	'workspace_blocked',
	'forbidden',
	'quota_spent',
	'time_over',
]);
