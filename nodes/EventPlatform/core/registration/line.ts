import type { Clock } from '../client/clock';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/outcome';
import { smallestOf } from '../values/collections';
import type { Outage } from './outage';
import type { Ms } from '../values/units';

/** A request that waits for its turn. */
export interface Turn {
	readonly sessionId: string;
	readonly isRead?: boolean;
	/**
	 * It goes before all that waits, because it is sent or read again, or is a part of what was refused. So few people are in doubt at a time, and
	 * a job that has been read once does not wait for younger ones, which will hardly be over.
	 */
	readonly isAhead?: boolean;
	/** Unless it is ahead, it waits until the first request of its session that sends people is over, or has not come back for a while. */
	readonly isAfterFirst?: boolean;
	/** The time may change while the request waits; Infinity: when another request has come back. Absent: it may leave at once. */
	readonly dueAt?: (readsInFlight: number) => Ms;
}

interface Stop {
	readonly reason: Reason;
	readonly sessionId?: string;
	/** Nobody is sent any more, and jobs that run on the platform are still read: their people would be unknown otherwise. */
	readonly isOfSendingOnly?: boolean;
}

/**
 * As many requests are in flight as it takes to use the limit of section 8 while each response takes four seconds, which is twenty. With
 * fewer than eight, some slow responses hold up a run whose credential has a low cap. More than 64 are never in flight, whatever the platform's
 * limit is: if the answers to 64 requests get lost at once, 3,200 people are in doubt.
 */
const concurrency = { perRate: 4, least: 8, most: 64 };
/**
 * At most so many leave until the platform has responded once, other than that it refuses a session. An outage at the beginning of a run for forty
 * sessions then leaves a few batches in doubt, because the answers to their requests get lost, and not forty; a token that is refused costs
 * four requests, and not forty.
 */
const mostBeforeResponse = 4;
/**
 * So long others of a session wait for its first request, from when that has left the line. Where it waits in the token's queue after that, they
 * may leave before it is sent. One that hangs would hold its session up for a minute.
 */
const longestHoldMs: Ms = 2_000;

/**
 * Owns when the requests of a run leave the line. Then they wait in the queue of the token (`client/requestQueue.ts`), behind those of other runs, and
 * only from there they are sent. So many leave at once, in the order in which they came and are due. After failures a single one tries,
 * so that few answers get lost in an outage; while sends alone fail, jobs are read all the same. Where the first request of a session
 * is refused, such as for a value that all have, the others are spared the same refusal. None leaves any more after what stops its session
 * or the run.
 *
 *   field              set by                               until                      what waits for it
 *   inFlight           a request that leaves                it returns                 all, until there is room (hasRoomFor)
 *   waiting            wait                                 it leaves, or is stopped   -
 *   stops              stop                                 the end                    nothing: what is stopped never leaves
 *   followersLeaveAt   the first send of a session leaves   release, longestHoldMs     sends to the session that are not ahead
 *   alarm              beginDue: when the next one is due   then, or an earlier one    -
 *   hasFullRoom        a response that refuses no session   the end                    all but the first four
 *
 * For what else they wait says `Outage`.
 */
export class Line {
	private readonly inFlight = { sends: 0, reads: 0 };
	private waiting: Array<{ turn: Turn; begin(stopped?: Reason): void }> = [];
	private readonly stops: Stop[] = [];
	/** Until when the others of a session wait for its first request, which has left the line. */
	private readonly followersLeaveAt = new Map<string, Ms>();
	private alarm?: { readonly at: Ms; readonly off: AbortController };
	/**
	 * The platform has responded to a request of this line, other than that it refuses a session, so that more than `mostBeforeResponse` may be in
	 * flight. Sync has a line for additions and one for the rest: removals may be refused where additions are not.
	 */
	private hasFullRoom = false;

	constructor(
		private readonly clock: Clock,
		private readonly usage: Pick<Usage, 'perSecond'>,
		private readonly over: AbortSignal,
		private readonly outage: Outage,
	) {}

	/** Waits for the turn of a request, after which `recordReturn` has to be called. Gives the reason where the turn never comes. */
	async wait(turn: Turn): Promise<Reason | undefined> {
		const stopped = this.reasonToStop(turn);
		if (stopped) return stopped;
		return await new Promise((begin) => {
			if (turn.isAhead) this.waiting.unshift({ turn, begin });
			else this.waiting.push({ turn, begin });
			this.beginDue();
		});
	}

	/** The request has an answer, or will have none. */
	recordReturn({ isRead }: Turn): void {
		this.inFlight[isRead ? 'reads' : 'sends'] -= 1;
		this.beginDue();
	}

	/** The first reason to stop a request stays. */
	stop(stop: Stop): void {
		this.stops.push(stop);
		this.waiting = this.waiting.filter(({ turn, begin }) => {
			const stopped = this.reasonToStop(turn);
			if (stopped) begin(stopped);
			return !stopped;
		});
	}

	/** Why such a request never leaves. Without a session: why none leaves, whatever its session is. */
	reasonToStop({ sessionId, isRead }: Partial<Turn>): Reason | undefined {
		const isStoppedBy = (stop: Stop) => {
			const isOfAll = stop.sessionId === undefined;
			const isLeftAlone = stop.isOfSendingOnly && isRead;
			return (isOfAll || stop.sessionId === sessionId) && !isLeftAlone;
		};
		return this.stops.find(isStoppedBy)?.reason;
	}

	/** `ends`: it has refused the whole session, and may refuse others. */
	recordResponse(turn: Turn, ends?: 'session' | 'run'): void {
		this.hasFullRoom ||= ends === undefined;
		this.outage.recordResponse(turn);
	}

	/** It is known what becomes of people of the session, so that the others need not wait for the first request. */
	release(sessionId: string): void {
		this.followersLeaveAt.set(sessionId, 0);
		this.beginDue();
	}

	private get mostInFlight(): number {
		if (!this.hasFullRoom) return mostBeforeResponse;
		const needed = Math.ceil(concurrency.perRate * this.usage.perSecond);
		return Math.min(concurrency.most, Math.max(concurrency.least, needed));
	}

	/** While sends fail, one of them tries, and reads go on as soon as one has worked. */
	private hasRoomFor({ isRead }: Turn): boolean {
		const { inFlight, outage } = this;
		const all = inFlight.sends + inFlight.reads;
		if (outage.persistence.failures > 0) return all === 0;
		const isSendAfterFailure = !isRead && outage.persistenceOfSends.failures > 0;
		return isSendAfterFailure ? inFlight.sends === 0 : all < this.mostInFlight;
	}

	private dueAt(turn: Turn): Ms {
		if (!this.hasRoomFor(turn)) return Infinity;
		const dueAt = turn.dueAt?.(this.inFlight.reads) ?? 0;
		const isHeld = turn.isAfterFirst && !turn.isAhead;
		const followsAt = isHeld ? this.followersLeaveAt.get(turn.sessionId) : undefined;
		return Math.max(this.outage.resumesAt(turn), dueAt, followsAt ?? 0);
	}

	private beginDue(): void {
		const { waiting, clock, outage } = this;
		const nowMs = clock.now();
		for (;;) {
			const dueTimes = waiting.map(({ turn }) => this.dueAt(turn));
			const isDue = (nth: number) => (dueTimes[nth] ?? Infinity) <= nowMs;
			const read = waiting.findIndex(({ turn }, nth) => turn.isRead && isDue(nth));
			const isReadNext = outage.prefersReads && read >= 0;
			const index = isReadNext ? read : dueTimes.findIndex((_, nth) => isDue(nth));
			const [next] = index < 0 ? [] : waiting.splice(index, 1);
			if (!next) {
				this.lookAgainAt(smallestOf(dueTimes));
				return;
			}
			this.countDeparture(next.turn);
			next.begin();
		}
	}

	private countDeparture({ sessionId, isRead }: Turn): void {
		this.inFlight[isRead ? 'reads' : 'sends'] += 1;
		if (isRead || this.followersLeaveAt.has(sessionId)) return;
		this.followersLeaveAt.set(sessionId, this.clock.now() + longestHoldMs);
	}

	private lookAgainAt(at = Infinity): void {
		if (at >= (this.alarm?.at ?? Infinity)) return;
		this.alarm?.off.abort();
		const off = new AbortController();
		this.alarm = { at, off };
		const look = () => {
			this.alarm = undefined;
			this.beginDue();
		};
		const signal = AbortSignal.any([this.over, off.signal]);
		this.clock.sleep(at - this.clock.now(), signal).then(look, () => {});
	}
}
