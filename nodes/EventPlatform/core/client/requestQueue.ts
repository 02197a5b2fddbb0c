import { ProcessMap } from '../values/processState';
import { CancelledBeforeSending, type Clock } from './clock';
import { unlessAborted } from './concurrently';
import { Failure } from './failure';
import {
	withResponse,
	withRequest,
	earliestDeparture,
	perSecond,
	startLimiter,
	usualPerSecond,
	withRates,
	type Random,
} from './limiter';
import { isMonthSpent, monthAfter, readQuota, type Month } from './quota';
import type { ApiRequest, ApiResponse } from './request';
import { longestPauseMs } from './patience';
import type { Ms } from '../values/units';

/** Each request of the queue looks this often whether responses have changed when it may leave. */
const lookAgainMs = 1_000;

/** The queue in front of the limiter, for all that use a token: requests leave in the order in which they came. */
export class RequestQueue {
	private limiter = startLimiter(usualPerSecond);
	/** The month's requests, as the platform last told. */
	month: Month = {};
	private waitingCount = 0;
	/** Settles when the last request of the queue has left or has given up. */
	private lastTurn: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random = Math.random,
	) {}

	/** Resolves with the time at which the request leaves. Throws a `CancelledBeforeSending`, or a `Failure` when that would be too late. */
	async waitForPlace(request: ApiRequest, signal?: AbortSignal): Promise<Ms> {
		const inFront = this.waitingCount;
		this.throwIfTooLate(request, inFront);
		/** Aborted when the request has left or has given up, so that it is not waited for. */
		const over = new AbortController();
		const turn = this.lastTurn.then(() => this.leave(request, over.signal, signal));
		this.lastTurn = turn.catch(() => undefined);
		this.waitingCount++;
		try {
			// The first one of the queue looks itself.
			const left =
				inFront === 0 ? turn : Promise.race([turn, this.throwWhenTooLate(request, over.signal)]);
			if (signal === undefined) return await left;
			return await unlessAborted(signal, left, () => Promise.reject(new CancelledBeforeSending()));
		} finally {
			over.abort();
			this.waitingCount--;
		}
	}

	/** Learns what a response says about the limits. `sentAt`: the time with which `waitForPlace` resolved. */
	recordResponse(response: ApiResponse, sentAt: Ms): void {
		const now = this.clock.now();
		const quota = readQuota(response, now);
		this.month = monthAfter(this.month, quota, now);
		// Its Retry-After is about the month: a pause of weeks, which would not end when somebody buys more requests.
		if (quota.isSpent) return;
		const { intervalLimit: allowed, retryAt = now } = quota;
		const facts = { isRateLimited: response.status === 429, allowed, pauseMs: retryAt - now };
		this.limiter = withResponse(this.limiter, facts, sentAt, now, this.random);
	}

	/** Sets the requests per second of the credential. Absent: all that the platform allows. */
	setCap(cap?: number): void {
		this.limiter = withRates(this.limiter, { allowed: this.limiter.allowed, cap });
	}

	get perSecond(): number {
		return perSecond(this.limiter);
	}

	/** Waits until the limiter lets the first request of the queue leave. */
	private async leave(request: ApiRequest, over: AbortSignal, signal?: AbortSignal): Promise<Ms> {
		for (;;) {
			if (over.aborted || signal?.aborted) throw new CancelledBeforeSending();
			this.throwIfTooLate(request);
			const now = this.clock.now();
			const waitMs = earliestDeparture(this.limiter, now) - now;
			if (waitMs <= 0) {
				this.limiter = withRequest(this.limiter, now, this.random);
				return now;
			}
			await this.clock.sleep(Math.min(waitMs, lookAgainMs), signal);
		}
	}

	/**
	 * Looks again and again whether a request behind others could still leave in time if it were the first one. A pause or a spent month fails
	 * it, too.
	 */
	private async throwWhenTooLate(request: ApiRequest, over: AbortSignal): Promise<never> {
		const { deadlineAtMs = Infinity } = request;
		for (;;) {
			// A request may leave at its deadline, and not a millisecond later.
			const leftMs = deadlineAtMs + 1 - this.clock.now();
			await this.clock.sleep(Math.min(leftMs, lookAgainMs), over);
			this.throwIfTooLate(request);
		}
	}

	/**
	 * Throws where the month, a pause or its deadline does not let the request leave. `requestsAhead`: those that leave before it, so that
	 * a request that would come too late fails at once, not when its turn comes.
	 */
	private throwIfTooLate(request: ApiRequest, requestsAhead = 0): void {
		const { deadlineAtMs = Infinity, mayExceedQuota } = request;
		const now = this.clock.now();
		if (!mayExceedQuota && isMonthSpent(this.month, now)) {
			throw new Failure('quota_spent', request, {
				status: 429,
				retryAt: this.month.monthReturnsAt,
			});
		}
		const retryAt = earliestDeparture(this.limiter, now, requestsAhead);
		const pauseMs = (this.limiter.pausedUntil ?? now) - now;
		if (retryAt <= deadlineAtMs && pauseMs <= longestPauseMs) return;
		throw new Failure(pauseMs > 0 ? 'rate_limited' : 'time_over', request, { retryAt });
	}
}

const queues = new ProcessMap<RequestQueue>('requestQueues');

/**
 * A token has one queue in this process, whatever node, run or credential it is for, because the platform counts them as one. Where
 * several credentials hold the token, the cap of the one that connected last counts: nobody tells the queue that a credential was changed or deleted.
 */
export function requestQueueFor(tokenKey: string, clock: Clock, cap?: number): RequestQueue {
	const queue = queues.get(tokenKey) ?? new RequestQueue(clock);
	queues.set(tokenKey, queue);
	queue.setCap(cap);
	return queue;
}
