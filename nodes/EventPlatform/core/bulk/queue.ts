import type { Clock } from '../client/clock';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import { Health } from './health';

/** Which request goes first: parts of what was refused, then what goes again; what is sent before what is read. */
const kinds = ['part', 'again', 'new', 'readAgain', 'read'] as const;

/** A request that waits for its turn. */
export interface QueuedRequest {
	/** Absent: new. */
	readonly kind?: (typeof kinds)[number];
	readonly sessionId: string;
	/** Absent: at once. May change while it waits. `reading`: how many reads are under way. */
	dueAt?(reading: number): number;
}

/** Whether a request may leave now, or never will. */
export type Departure = { kind: 'now' } | { kind: 'never'; reason: Reason };

/** Why requests do not leave any more. */
export interface Stop {
	reason: Reason;
	/** Absent: the requests of all sessions. */
	sessionId?: string;
	/** Jobs that are under way on the platform are still read. */
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

	/** Resolves when the request may leave, and `recordReturn` is to follow; or with the reason why it never may. */
	async waitForDeparture(request: QueuedRequest): Promise<Departure> {
		const reason = this.reasonToStop(request);
		if (reason) return { kind: 'never', reason };
		return await new Promise((depart) => {
			this.waiting.push({ request, depart });
			this.waiting.sort((first, second) => rankOf(first.request) - rankOf(second.request));
			this.startWhatIsDue();
		});
	}

	/** A request has come back, and the run has taken in what it says. */
	recordReturn(request: QueuedRequest): void {
		this.underWay[countOf(request)] -= 1;
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

	/** Without a session: why the whole run has ended. */
	reasonToStop(request: Partial<QueuedRequest>): Reason | undefined {
		return this.stops.find(
			({ sessionId = request.sessionId, isOfSendingOnly }) =>
				sessionId === request.sessionId && !(isOfSendingOnly && countOf(request) === 'reads'),
		)?.reason;
	}

	private startWhatIsDue(): void {
		const { clock, health, underWay, waiting } = this;
		const now = clock.now();
		while (underWay.sends + underWay.reads < health.concurrency(this.usage.perSecond)) {
			const due = waiting.map(({ request }) =>
				Math.max(health.pausedUntil, request.dueAt?.(underWay.reads) ?? 0),
			);
			const index = due.findIndex((at) => at <= now);
			const [first] = index < 0 ? [] : waiting.splice(index, 1);
			if (!first) {
				this.wakeAt(Math.min(...due));
				return;
			}
			underWay[countOf(first.request)] += 1;
			first.depart({ kind: 'now' });
		}
	}

	/** Looks again when something will be due. A request that comes back makes the queue look earlier. */
	private wakeAt(at: number): void {
		if (at === Infinity || (this.alarmAt !== undefined && at >= this.alarmAt)) return;
		this.alarmAt = at;
		const wake = () => {
			this.alarmAt = undefined;
			this.startWhatIsDue();
		};
		this.clock.sleep(at - this.clock.now(), this.over).then(wake, () => {});
	}
}

function rankOf({ kind = 'new' }: QueuedRequest): number {
	return kinds.indexOf(kind);
}

function countOf({ kind }: Partial<QueuedRequest>): 'sends' | 'reads' {
	return kind?.startsWith('read') ? 'reads' : 'sends';
}
