import type { Clock } from '../client/clock';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/outcome';
import { smallestOf } from '../values/collections';
import type { Failure } from '../client/failure';
import { againAfterMs } from '../client/retryPolicy';

/** The order in which requests leave: parts of refused batches first, then batches that are sent again, then new ones, and reads last. */
const kindsInOrder = ['part', 'again', 'new', 'readAgain', 'read'] as const;

export interface QueuedRequest {
	readonly kind?: (typeof kindsInOrder)[number];
	readonly sessionId: string;
	/** The time may change while the request waits. Absent: it may leave at once. */
	dueAt?(readsUnderWay: number): DueTime;
}

export type DueTime = number | 'afterAnotherRead';

export type Departure = { kind: 'now' } | { kind: 'never'; reason: Reason };

export interface Stop {
	reason: Reason;
	sessionId?: string;
	/** Jobs that are under way on the platform are still read. */
	stopsSendingOnly?: boolean;
}

interface WaitingRequest {
	request: QueuedRequest;
	depart(departure: Departure): void;
}

export class BulkQueue {
	readonly underWay = { sends: 0, reads: 0 };
	private waiting: WaitingRequest[] = [];
	private readonly stops: Stop[] = [];
	private alarmAt?: number;

	constructor(
		private readonly clock: Clock,
		private readonly usage: Pick<Usage, 'perSecond'>,
		private readonly over: AbortSignal,
		readonly health = new Health(),
	) {}

	/** Resolves when the request may leave, after which `recordReturn` has to be called; or with the reason why it never may. */
	async waitForDeparture(request: QueuedRequest): Promise<Departure> {
		const reason = this.reasonToStop(request);
		if (reason) return { kind: 'never', reason };
		return await new Promise((depart) => {
			this.waiting.push({ request, depart });
			this.waiting.sort((first, second) => rankOf(first.request) - rankOf(second.request));
			this.startDueRequests();
		});
	}

	recordReturn(request: QueuedRequest): void {
		this.underWay[counterOf(request)] -= 1;
		this.startDueRequests();
	}

	/** Ends requests that wait and those that come later. The first reason to stop a request stays. */
	stop(stop: Stop): void {
		this.stops.push(stop);
		const waitingBefore = this.waiting;
		this.waiting = waitingBefore.filter(({ request }) => !this.reasonToStop(request));
		for (const { request, depart } of waitingBefore) {
			const reason = this.reasonToStop(request);
			if (reason) depart({ kind: 'never', reason });
		}
	}

	reasonToStop(request: Partial<QueuedRequest>): Reason | undefined {
		return this.stops.find(
			({ sessionId = request.sessionId, stopsSendingOnly }) =>
				sessionId === request.sessionId && !(stopsSendingOnly && counterOf(request) === 'reads'),
		)?.reason;
	}

	private startDueRequests(): void {
		const { clock, health, underWay, waiting } = this;
		const nowMs = clock.now();
		while (underWay.sends + underWay.reads < health.concurrency(this.usage.perSecond)) {
			const dueTimes = waiting.map(({ request }) => request.dueAt?.(underWay.reads) ?? 0);
			const resumesAt = health.resumesAt ?? 0;
			const index = resumesAt <= nowMs ? dueTimes.findIndex((dueAt) => isDue(dueAt, nowMs)) : -1;
			const [next] = index < 0 ? [] : waiting.splice(index, 1);
			if (!next) {
				this.wakeForNext(dueTimes, resumesAt);
				return;
			}
			underWay[counterOf(next.request)] += 1;
			next.depart({ kind: 'now' });
		}
	}

	/** Sets the alarm at which the queue looks again, because the next request is due then. A request that comes back makes it look earlier. */
	private wakeForNext(dueTimes: readonly DueTime[], resumesAt: number): void {
		const times = dueTimes.filter((dueAt) => dueAt !== 'afterAnotherRead');
		if (times.length === 0) return;
		const wakeAt = Math.max(resumesAt, smallestOf(times));
		if (this.alarmAt !== undefined && wakeAt >= this.alarmAt) return;
		this.alarmAt = wakeAt;
		const wake = () => {
			this.alarmAt = undefined;
			this.startDueRequests();
		};
		this.clock.sleep(wakeAt - this.clock.now(), this.over).then(wake, () => {});
	}
}

function isDue(dueAt: DueTime, nowMs: number): boolean {
	return dueAt !== 'afterAnotherRead' && dueAt <= nowMs;
}

function rankOf({ kind = 'new' }: QueuedRequest): number {
	return kindsInOrder.indexOf(kind);
}

function counterOf({ kind }: Partial<QueuedRequest>): 'sends' | 'reads' {
	return kind?.startsWith('read') ? 'reads' : 'sends';
}

/**
 * As many requests are under way at once as it takes to use the limit of section 8 in full while each response takes so long. That of
 * fifty people may take longer than that of a page.
 */
const slowestResponseSeconds = 4;

/**
 * The bounds of how many requests are under way at once. With fewer than 8, a few that hang would stop a run where the limit is low; with
 * more than 64, the people of as many batches would be in doubt when an outage begins.
 */
const concurrencyLimits = { least: 8, most: 64 };

/** After one failure a quarter goes on, because it may be chance; after a second one in a row, a single request tries. */
const divisorAfterFailure = 4;

/** At most so many requests are under way until the first response. Where that takes less than 0.8 s, the limit of section 8 allows no more anyway. */
const mostBeforeResponse = 4;

/** A platform that has never responded is tried for so long, which is three attempts where it refuses to connect. */
const longestSilenceMs = 10_000;

export class Health {
	private failuresInARow = 0;
	private failedAt?: number;
	private firstFailureSentAt?: number;
	private hasResponded = false;
	/** The latest failure, as long as the platform has never responded. Absent: it has responded, or nothing has failed. */
	unreached?: Failure;
	resumesAt?: number;

	recordResponse(): void {
		this.hasResponded = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.resumesAt = undefined;
	}

	/** Records a failed request. Requests that were under way together and failed together count as one failure. */
	recordFailure(sentAt: number, nowMs: number, failure: Failure): void {
		// A platform that refuses a request because there are too many has responded.
		this.hasResponded ||= failure.cause === 'rate_limited';
		this.firstFailureSentAt = Math.min(this.firstFailureSentAt ?? sentAt, sentAt);
		this.unreached = this.hasResponded ? undefined : failure;
		// The request was already under way when the last failure was counted.
		if (this.failedAt !== undefined && sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = nowMs;
		this.resumesAt = nowMs + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	concurrency(perSecond: number): number {
		const needed = Math.ceil(slowestResponseSeconds * perSecond);
		const usual = Math.min(concurrencyLimits.most, Math.max(concurrencyLimits.least, needed));
		if (!this.hasResponded) return this.failuresInARow > 0 ? 1 : mostBeforeResponse;
		if (this.failuresInARow === 0) return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / divisorAfterFailure) : 1;
	}

	get isHopeless(): boolean {
		const { unreached, failuresInARow, failedAt = 0, firstFailureSentAt = 0 } = this;
		const isSilent = unreached !== undefined && failedAt - firstFailureSentAt >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', failuresInARow) === undefined;
		// A single request that hangs for so long may be chance.
		return (isSilent && failuresInARow > 1) || isGivenUp;
	}
}

/** A job is guessed to take so long until one has been read: fifty people at 20 ms each, and half a second to begin. */
export const firstGuessMs = 1_500;

interface Streak {
	readonly kind: 'inTime' | 'early';
	readonly reads: number;
}

/** Owns when jobs are read first: how long they take is learned from those already read. All times are in milliseconds. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	private streak: Streak = { kind: 'inTime', reads: 0 };
	/** No job is read for the first time before then, because the last ones were not over when they were read. Absent: no read is held back. */
	private heldUntilAt?: number;

	dueAt(acceptedAt: number, readsUnderWay: number): DueTime {
		// Two jobs are read at once, in case one read gets no response, and one more for each read that came in time.
		const mostReads = this.streak.kind === 'inTime' ? this.streak.reads + 2 : 2;
		if (readsUnderWay >= mostReads) return 'afterAnotherRead';
		return Math.max(this.heldUntilAt ?? acceptedAt, acceptedAt + this.expectedMs);
	}

	get isTooEarly(): boolean {
		return this.streak.kind === 'early';
	}

	/** Records that a job was not over when it was first read. `share`: the part of its tasks that were processed, from 0 to 1. */
	recordEarlyRead(ageMs: number, share: number, readAgainAt: number): void {
		// A job that shows no progress is guessed to be half done.
		const wholeMs = ageMs / (share > 0 ? share : 0.5);
		// As long as no job was over when it was read, progress alone predicts how long jobs take.
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.streak = continued(this.streak, 'early');
		// One slow job may be chance. After two of them, the next jobs would not be over either.
		if (this.streak.reads > 1) this.heldUntilAt = readAgainAt;
	}

	/** Records that a job was over when it had this age. `isFirstRead`: whether it was read for the first time then. */
	recordEnd(ageMs: number, isFirstRead: boolean): void {
		// A first read shows only that the job was over by then. If a higher age counted, the estimate could only grow.
		if (!isFirstRead || ageMs < this.expectedMs) {
			this.expectedMs = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
		}
		this.isLearned = true;
		if (isFirstRead) this.streak = continued(this.streak, 'inTime');
	}
}

function continued(streak: Streak, kind: Streak['kind']): Streak {
	return { kind, reads: streak.kind === kind ? streak.reads + 1 : 1 };
}
