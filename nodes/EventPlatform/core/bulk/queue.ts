import type { Clock } from '../client/clock';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import { Health } from './health';

/** The order in which requests leave: parts of what was refused, then what goes again; what is sent before what is read. */
const kindsInOrder = ['part', 'again', 'new', 'readAgain', 'read'] as const;

/** A request that waits for its turn. */
export interface QueuedRequest {
	/** Absent: new. */
	readonly kind?: (typeof kindsInOrder)[number];
	/** The session that it is about. */
	readonly sessionId: string;
	/** Absent: it may leave at once. The time may change while it waits. `reading`: how many reads are under way. */
	dueAt?(reading: number): DueTime;
}

/** When a request may leave: a time in milliseconds, or not before another read has come back. */
export type DueTime = number | 'afterAnotherRead';

/** Whether a request may leave now, or never will. */
export type Departure = { kind: 'now' } | { kind: 'never'; reason: Reason };

/** The reason why requests do not leave any more, and which of them. */
export interface Stop {
	/** The reason that people read. */
	reason: Reason;
	/** Absent: the requests of all sessions. */
	sessionId?: string;
	/** Whether jobs that are under way on the platform are still read. */
	isOfSendingOnly?: boolean;
}

interface WaitingRequest {
	request: QueuedRequest;
	depart(departure: Departure): void;
}

/**
 * Owns when the next request leaves: which one goes first, how many are under way at once, and what does not leave at all;
 * until the run is over.
 */
export class BulkQueue {
	/** How many requests have left and have not come back. */
	readonly underWay = { sends: 0, reads: 0 };
	private waiting: WaitingRequest[] = [];
	private readonly stops: Stop[] = [];
	/** When the queue looks again by itself; absent while nothing is to become due. */
	private alarmAt?: number;

	constructor(
		private readonly clock: Clock,
		private readonly usage: Pick<Usage, 'perSecond'>,
		private readonly over: AbortSignal,
		readonly health: Health = new Health(),
	) {}

	/** Resolves when the request may leave, after which `recordReturn` has to be called; or with the reason why it never may. */
	async waitForDeparture(request: QueuedRequest): Promise<Departure> {
		const reason = this.reasonToStop(request);
		if (reason) return { kind: 'never', reason };
		return await new Promise((depart) => {
			this.waiting.push({ request, depart });
			this.waiting.sort((first, second) => rankOf(first.request) - rankOf(second.request));
			this.startWhatIsDue();
		});
	}

	/** Records that a request has come back, and that the run has taken in what it says. */
	recordReturn(request: QueuedRequest): void {
		this.underWay[counterOf(request)] -= 1;
		this.startWhatIsDue();
	}

	/** Ends requests that wait and those that come later. The first reason to stop a request stays. */
	stop(stop: Stop): void {
		this.stops.push(stop);
		const before = this.waiting;
		this.waiting = before.filter(({ request }) => !this.reasonToStop(request));
		for (const { request, depart } of before) {
			const reason = this.reasonToStop(request);
			if (reason) depart({ kind: 'never', reason });
		}
	}

	/** Gives why such a request may not leave; without a session, why the whole run has ended. */
	reasonToStop(request: Partial<QueuedRequest>): Reason | undefined {
		return this.stops.find(
			({ sessionId = request.sessionId, isOfSendingOnly }) =>
				sessionId === request.sessionId && !(isOfSendingOnly && counterOf(request) === 'reads'),
		)?.reason;
	}

	private startWhatIsDue(): void {
		const { clock, health, underWay, waiting } = this;
		const now = clock.now();
		while (underWay.sends + underWay.reads < health.concurrency(this.usage.perSecond)) {
			const dueTimes = waiting.map(({ request }) => request.dueAt?.(underWay.reads) ?? 0);
			const resumesAt = health.resumesAt ?? 0;
			const index = resumesAt <= now ? dueTimes.findIndex((dueAt) => isDue(dueAt, now)) : -1;
			const [first] = index < 0 ? [] : waiting.splice(index, 1);
			if (!first) {
				this.wakeForNext(dueTimes, resumesAt);
				return;
			}
			underWay[counterOf(first.request)] += 1;
			first.depart({ kind: 'now' });
		}
	}

	/** Looks again when the next request will be due. A request that comes back makes the queue look earlier. */
	private wakeForNext(dueTimes: readonly DueTime[], resumesAt: number): void {
		const times = dueTimes.filter((dueAt) => dueAt !== 'afterAnotherRead');
		if (times.length === 0) return;
		const at = Math.max(resumesAt, Math.min(...times));
		if (this.alarmAt !== undefined && at >= this.alarmAt) return;
		this.alarmAt = at;
		const wake = () => {
			this.alarmAt = undefined;
			this.startWhatIsDue();
		};
		this.clock.sleep(at - this.clock.now(), this.over).then(wake, () => {});
	}
}

function isDue(dueAt: DueTime, now: number): boolean {
	return dueAt !== 'afterAnotherRead' && dueAt <= now;
}

function rankOf({ kind = 'new' }: QueuedRequest): number {
	return kindsInOrder.indexOf(kind);
}

function counterOf({ kind }: Partial<QueuedRequest>): 'sends' | 'reads' {
	return kind?.startsWith('read') ? 'reads' : 'sends';
}
