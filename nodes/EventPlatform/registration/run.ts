import { Cancelled, Failure, type Cause } from '../transport/failure';
import type { Api, Clock } from '../transport/ports';
import { Alarm } from './alarm';
import { JobsUnderWay, type OpenJob } from './jobsUnderWay';
import { Knowledge } from './knowledge';
import { Ledger } from './ledger';
import { lookAt } from './look';
import type { Outcome, SentJob } from './person';
import type { Plan } from './plan';
import type { Sender } from './sender';
import { Shipments, mostSplits, split, type Shipment } from './shipments';
import { submit, type Submitted } from './submit';
import { Weather } from './weather';
import { because, notConfirmed, notSent, refused, refusedTogether, type Stop } from './words';

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

export interface Report<Of = Outcome> {
	/** One per person, in the order of the input. */
	outcomes: readonly Of[];
	jobs: readonly SentJob[];
	requests: number;
	/** Without those that were repeated by the transport. */
	requestsBySession: ReadonlyMap<string, number>;
	seconds: number;
	/** Why the run ended before everyone was sent or confirmed. */
	stop?: Stop;
}

/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
const longestPauseMs = 120_000;

/** Sends the plan and finds out what became of everyone, with the pace always in use. */
export class BulkRun {
	private readonly knowledge = new Knowledge();
	private readonly weather = new Weather();
	private readonly ledger: Ledger;
	private readonly shipments: Shipments;
	private readonly jobs: JobsUnderWay;
	private readonly alarm: Alarm;
	private readonly startedAt: number;
	private readonly deadline: number;
	private readonly sending = new Set<Shipment>();
	private looking = 0;
	private splits: number;
	private stop?: Stop;
	private isReading: boolean;
	private isOver = false;
	private loggedAt: number;
	private readonly requestsBySession = new Map<string, number>();

	constructor(
		private readonly plan: Plan,
		private readonly parts: RunParts,
		private readonly options: RunOptions,
	) {
		const { clock, signal } = parts;
		this.startedAt = this.loggedAt = clock.now();
		this.isReading = options.waits;
		this.deadline = options.waits ? this.startedAt + options.maxWaitSeconds * 1_000 : Infinity;
		this.alarm = new Alarm(clock, signal);
		this.ledger = new Ledger(plan);
		this.shipments = new Shipments(plan.chunks);
		this.jobs = new JobsUnderWay(this.knowledge.tempo, this.deadline - 1_000);
		this.splits = options.isolates ? mostSplits(plan.chunks.length) : 0;
	}

	async finish(): Promise<Report> {
		const { api, clock } = this.parts;
		const requestsBefore = api.usage.requests;
		for (;;) {
			this.startWhatIsDue(clock.now());
			if (this.isDone(clock.now())) break;
			await this.alarm.until(this.nextMoment(clock.now()));
			this.tellProgress(clock.now());
		}
		this.isOver = true;
		const stop = this.stop ?? because(new Cancelled());
		for (const { people } of this.sending) this.ledger.settle(people, notConfirmed(stop));
		this.closeJobs(stop);
		return {
			outcomes: this.ledger.outcomes(),
			jobs: this.ledger.jobs,
			requests: api.usage.requests - requestsBefore,
			requestsBySession: this.requestsBySession,
			seconds: Math.round((clock.now() - this.startedAt) / 100) / 10,
			stop: this.stop,
		};
	}

	private isDone(now: number): boolean {
		if (this.parts.signal?.aborted || now >= this.deadline + graceMs) return true;
		if (this.sending.size + this.looking > 0) return false;
		return this.shipments.left === 0 && (!this.isReading || this.jobs.size === 0);
	}

	private startWhatIsDue(now: number): void {
		if (this.parts.signal?.aborted) return this.stopAll(because(new Cancelled()));
		if (now >= this.deadline) return this.stopAll(because(timeOver));
		while (this.hasTurn() && now >= this.weather.calmAt) {
			const shipment = this.maySend() ? this.shipments.take(now) : undefined;
			const job = !shipment && this.isReading ? this.jobs.take(now) : undefined;
			if (shipment) void this.send(shipment);
			else if (job) void this.look(job);
			else return;
		}
	}

	/** When something will be due; a request that comes back rings earlier. */
	private nextMoment(now: number): number {
		const over = now >= this.deadline ? this.deadline + graceMs : this.deadline;
		if (!this.hasTurn()) return over;
		const sendAt = this.maySend() ? this.shipments.readyAt(now) : Infinity;
		const lookAt = this.isReading ? this.jobs.dueAt() : Infinity;
		return Math.min(over, Math.max(this.weather.calmAt, Math.min(sendAt, lookAt)));
	}

	/** Requests under way at once: enough for answers that take four seconds. */
	private hasTurn(): boolean {
		const { perSecond } = this.parts.api.usage;
		const most = this.weather.isRough ? 1 : Math.min(64, Math.max(8, Math.ceil(4 * perSecond)));
		return this.sending.size + this.looking < most;
	}

	private maySend(): boolean {
		return !this.isReading || this.jobs.hasRoom(this.sending.size, this.parts.api.usage.perSecond);
	}

	private async send(shipment: Shipment): Promise<void> {
		const sentAt = this.parts.clock.now();
		this.sending.add(shipment);
		try {
			const api = this.apiFor(shipment.sessionId);
			const deadline = this.options.waits ? this.deadline : undefined;
			const submitted = await submit(shipment, this.plan.people, api, deadline);
			if (!this.isOver) this.submitted(shipment, submitted, sentAt);
		} catch (error) {
			if (this.isOver) return;
			this.ledger.settle(shipment.people, notConfirmed(because(error)));
			this.stopAll(because(error));
		} finally {
			this.sending.delete(shipment);
			this.alarm.ring();
		}
	}

	private submitted(shipment: Shipment, submitted: Submitted, sentAt: number): void {
		const now = this.parts.clock.now();
		if ('job' in submitted) {
			this.weather.answered();
			const { id } = submitted.job;
			this.jobs.add(this.ledger.open(id, shipment.sessionId, shipment.people), now);
		} else if ('refused' in submitted) {
			this.weather.answered();
			this.refused(shipment, submitted.refused);
		} else if ('stop' in submitted) {
			const stop = because(submitted.stop);
			this.drop(shipment, stop);
			// Jobs that were accepted are still read, as long as reading is not refused too.
			this.stopSending(stop, submitted.everywhere ? undefined : shipment.sessionId);
		} else {
			const failure = 'open' in submitted ? submitted.open : submitted.unsent;
			if ('open' in submitted) shipment.maybeArrived = true;
			this.weather.troubled(sentAt, now);
			this.sendAgain(shipment, failure, now);
		}
	}

	private sendAgain(shipment: Shipment, failure: Failure, now: number): void {
		const isPointless = this.isTooLate(failure, now);
		if (!isPointless && this.shipments.sendAgain(shipment, now, failure.retryAt)) {
			if (this.weather.isHopeless) this.stopAll(because(failure));
			return;
		}
		this.drop(shipment, because(failure));
		if (isPointless || this.weather.isHopeless) this.stopAll(because(failure));
	}

	private refused(shipment: Shipment, failure: Failure): void {
		const { people } = shipment;
		if (people.length === 1) this.ledger.settle(people, refused(failure));
		else if (this.splits > 0) {
			this.splits -= 1;
			this.shipments.sendPieces(split(shipment, failure, this.plan.people));
		} else this.ledger.settle(people, refusedTogether(failure, people.length));
	}

	private async look(job: OpenJob): Promise<void> {
		const sentAt = this.parts.clock.now();
		this.looking += 1;
		try {
			const looked = await lookAt(
				job,
				this.apiFor(job.sent.sessionId),
				this.knowledge,
				this.deadline,
			);
			if (this.isOver) return;
			this.weather.answered();
			this.ledger.sawState(job.sent, looked.state);
			if (!looked.results) {
				this.jobs.unfinished(job, looked.processed, this.parts.clock.now());
				return;
			}
			this.jobs.finished(job, this.parts.clock.now());
			const keptOrder = this.ledger.close(job.sent, looked.results, this.knowledge.keepsOrder);
			this.knowledge.keepsOrder &&= keptOrder;
		} catch (error) {
			if (!this.isOver) this.lookFailed(job, error, sentAt);
		} finally {
			this.looking -= 1;
			this.alarm.ring();
		}
	}

	private lookFailed(job: OpenJob, error: unknown, sentAt: number): void {
		const now = this.parts.clock.now();
		const isKnown = error instanceof Failure;
		if (isKnown && error.reason !== 'not_found') this.weather.troubled(sentAt, now);
		const isWorthAnother = this.jobs.troubled(job, now, isKnown ? error.retryAt : undefined);
		const ends = !isKnown || endsReading.has(error.reason) || this.isTooLate(error, now);
		if (!isWorthAnother) this.ledger.settle(job.sent.people, notConfirmed(because(error), job.id));
		if (ends || this.weather.isHopeless) this.stopAll(because(error));
	}

	private apiFor(sessionId: string): Sender {
		return (request) => {
			const before = this.requestsBySession.get(sessionId) ?? 0;
			this.requestsBySession.set(sessionId, before + 1);
			return this.parts.api(request);
		};
	}

	/** The platform asks for a pause that nobody sits through. */
	private isTooLate({ retryAt = 0 }: Failure, now: number): boolean {
		return retryAt > Math.min(now + longestPauseMs, this.deadline);
	}

	/** Nothing more is sent: at all, or for one session. What is under way is still read. */
	private stopSending(stop: Stop, sessionId?: string): void {
		if (sessionId === undefined) this.stop ??= stop;
		for (const shipment of this.shipments.abandon(sessionId)) this.drop(shipment, stop);
	}

	private stopAll(stop: Stop): void {
		this.stopSending(stop);
		this.isReading = false;
		if (this.options.waits) this.closeJobs(stop);
	}

	private drop({ people, maybeArrived }: Shipment, stop: Stop): void {
		this.ledger.settle(people, maybeArrived ? notConfirmed(stop) : notSent(stop));
	}

	/** Off the list, and unknown where they are waited for. */
	private closeJobs(stop: Stop): void {
		for (const { sent } of this.jobs.abandon()) {
			if (this.options.waits) this.ledger.settle(sent.people, notConfirmed(stop, sent.id));
		}
	}

	private tellProgress(now: number): void {
		if (now - this.loggedAt < logEveryMs) return;
		this.loggedAt = now;
		const { requests } = this.parts.api.usage;
		const jobs = this.ledger.jobs.length;
		this.parts.log?.(
			`Bulk registration: ${jobs - this.jobs.size} of ${this.plan.chunks.length} jobs confirmed, ${this.jobs.size} under way, ${requests} requests`,
		);
	}
}

const timeOver = new Failure('time_over', { method: 'POST', path: '/sessions/:id/people/bulk' });

/** What holds for every other read as well. */
const endsReading: ReadonlySet<Cause> = new Set<Cause>([
	'unauthorized',
	'reconnect',
	'missing_scope',
	'workspace_blocked',
	'forbidden',
	'quota_spent',
	'time_over',
]);
