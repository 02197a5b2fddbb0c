import { smallestOf } from '../values/collections';
import { ProcessMap } from '../values/processState';
import { dayMs } from '../values/units';
import { Cancelled, type Clock } from './clock';
import type { Cause } from './cause';
import { consumptionRate, recordConsumption, type Consumption } from './consumption';
import { Failure } from './failure';
import {
	withResponse,
	withRequest,
	earliestDeparture,
	perSecond,
	startLimiter,
	usualPerSecond,
	withRates,
	type Limiter,
	type Random,
} from './limiter';
import { isAskedAbout, monthAfter, refusalByMonth, whileAsking, type Month } from './month';
import { readQuota } from './quota';
import type { ApiRequest, ApiResponse } from './request';
import { longestPauseMs } from './retryPolicy';
import type { Usage } from './usage';

type QueueUsage = Omit<Usage, 'requests' | 'responses' | 'clockAheadMs' | 'waits' | 'waitedMs'>;

export interface PlaceOptions {
	signal?: AbortSignal;
}

/** The queue in front of the limiter, for all that use a token: requests leave in the order in which they came. */
export interface RequestQueue {
	/** Resolves with the time at which the request leaves. Throws a `Cancelled`, or a `Failure` when that would be too late. */
	waitForPlace(request: ApiRequest, options?: PlaceOptions): Promise<number>;
	/** Learns what a response says about the limits. `sentAt`: the time with which `waitForPlace` resolved. */
	recordResponse(response: ApiResponse, sentAt?: number): void;
	/** Sets the requests per second of the credential. Absent: all that the platform allows. */
	setCap(cap?: number): void;
	usage(): QueueUsage;
}

interface Waiter extends PlaceOptions {
	request: ApiRequest;
	/** Lets the waiter check again, because it is first in the line, may leave sooner, or has to give up. */
	wake: () => void;
}

export function createRequestQueue(clock: Clock, random: Random = Math.random): RequestQueue {
	return new TokenQueue(clock, random);
}

class TokenQueue implements RequestQueue {
	private limiter = startLimiter(usualPerSecond);
	private month: Month = {};
	private consumption: Consumption = [];
	private sentCount = 0;
	private readonly line: Waiter[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	async waitForPlace(request: ApiRequest, options: PlaceOptions = {}): Promise<number> {
		const { signal } = options;
		const waiter: Waiter = { request, ...options, wake: () => {} };
		const wake = () => waiter.wake();
		signal?.addEventListener('abort', wake);
		this.line.push(waiter);
		try {
			const sentAt = await this.waitForDeparture(waiter);
			// If the others are to wait while this request asks, it is the asking request.
			if (this.refusalOf(waiter, sentAt, whileAsking(this.month, sentAt))) {
				this.month = whileAsking(this.month, sentAt);
			}
			this.limiter = withRequest(this.limiter, sentAt, this.random);
			this.sentCount++;
			return sentAt;
		} finally {
			signal?.removeEventListener('abort', wake);
			this.line.splice(this.line.indexOf(waiter), 1);
			this.line[0]?.wake();
		}
	}

	recordResponse(response: ApiResponse, sentAt = this.clock.now()): void {
		const now = this.clock.now();
		const quota = readQuota(response, now);
		const wasAskedAbout = isAskedAbout(this.month, now);
		this.month = monthAfter(this.month, quota, now);
		this.consumption = recordConsumption(this.consumption, this.month.monthlyRemaining, now);
		if (quota.isSpent) {
			this.wakeAll();
			return;
		}
		const { intervalLimit: allowed, retryAt = now } = quota;
		const facts = { isRefused: response.status === 429, allowed, pauseMs: retryAt - now };
		this.changeLimiter(withResponse(this.limiter, facts, sentAt, now, this.random));
		if (wasAskedAbout) this.wakeAll();
	}

	setCap(cap?: number): void {
		this.changeLimiter(withRates(this.limiter, { allowed: this.limiter.allowed, cap }));
	}

	usage(): QueueUsage {
		const { monthlyLimit, monthlyRemaining, monthReturnsAt } = this.month;
		return {
			monthlyLimit,
			monthlyRemaining,
			monthReturnsAt,
			perSecond: perSecond(this.limiter),
			sentByProcess: this.sentCount,
			rate: consumptionRate(this.consumption, monthlyRemaining, this.clock.now()),
		};
	}

	private async waitForDeparture(waiter: Waiter): Promise<number> {
		const nextChange = () => new Promise<void>((resolve) => (waiter.wake = resolve));
		for (;;) {
			if (waiter.signal?.aborted) throw new Cancelled();
			const now = this.clock.now();
			const checkAgainAt = this.whenToCheckAgain(waiter, now);
			if (checkAgainAt === undefined) {
				await nextChange();
				continue;
			}
			if (checkAgainAt <= now) return now;
			await Promise.race([this.clock.sleep(checkAgainAt - now, waiter.signal), nextChange()]);
		}
	}

	/**
	 * The waiter leaves if the time has come, and checks again then if not. Undefined means that others stand in front of it. Throws when
	 * the waiter has to give up.
	 */
	private whenToCheckAgain(waiter: Waiter, now: number): number | undefined {
		const { request } = waiter;
		const { deadlineAtMs = Infinity } = request;
		const cause = this.refusalOf(waiter, now, this.month);
		if (cause !== undefined) {
			// One request has left to ask, and its response decides about all others.
			const askAgainAt = this.month.askAgainAt ?? now;
			const mayWait = isAskedAbout(this.month, now) && now < deadlineAtMs;
			if (mayWait) return Math.min(askAgainAt, deadlineAtMs);
			throw this.failureOfMonth(cause, request);
		}
		const departureAt = earliestDeparture(this.limiter, now, this.line.indexOf(waiter));
		const pauseMs = (this.limiter.pausedUntil ?? now) - now;
		if (departureAt > deadlineAtMs || pauseMs > longestPauseMs) {
			throw new Failure(pauseMs > 0 ? 'rate_limited' : 'time_over', request, {
				retryAt: departureAt,
			});
		}
		return this.line[0] === waiter ? earliestDeparture(this.limiter, now) : undefined;
	}

	private refusalOf(waiter: Waiter, now: number, month: Month): Cause | undefined {
		const { ignoresQuota } = waiter.request;
		return refusalByMonth(month, { ignoresQuota }, now);
	}

	private failureOfMonth(cause: Cause, request: ApiRequest): Failure {
		const { monthReturnsAt: retryAt, heardAt } = this.month;
		const status = cause === 'quota_spent' ? 429 : undefined;
		return new Failure(cause, request, { status, retryAt, heardAt });
	}

	/** Replaces the limiter, and lets waiting requests check again, because they may leave sooner or have to give up. */
	private changeLimiter(next: Limiter): void {
		const now = this.clock.now();
		const isPausedLonger = (next.pausedUntil ?? 0) > (this.limiter.pausedUntil ?? 0);
		const isSooner = earliestDeparture(next, now) < earliestDeparture(this.limiter, now);
		this.limiter = next;
		if (isPausedLonger) this.wakeAll();
		else if (isSooner) this.line[0]?.wake();
	}

	private wakeAll(): void {
		for (const waiter of [...this.line]) waiter.wake();
	}
}

export interface RequestLimits {
	cap?: number;
}

interface UsedCredential extends RequestLimits {
	usedAt: number;
}

interface SharedQueue {
	queue: RequestQueue;
	credentials: Map<string, UsedCredential>;
}

const queues = new ProcessMap<SharedQueue>('requestQueues');

/** The limits of a credential hold until nobody has used it for this time. */
const unusedAfterMs = dayMs;

/**
 * A token has one queue in this process, whatever node or run it is for. Where several credentials hold the token, the strictest limit
 * of each kind holds for all of them, because the platform counts them as one.
 */
export function requestQueueFor(
	tokenKey: string,
	credentialId: string,
	clock: Clock,
	limits: RequestLimits = {},
): RequestQueue {
	const usedAt = clock.now();
	const { queue, credentials } = queues.get(tokenKey) ?? {
		queue: createRequestQueue(clock),
		credentials: new Map<string, UsedCredential>(),
	};
	credentials.set(credentialId, { ...limits, usedAt });
	queues.set(tokenKey, { queue, credentials }, usedAt);
	for (const [id, credential] of credentials) {
		if (usedAt - credential.usedAt > unusedAfterMs) credentials.delete(id);
	}
	const entered = [...credentials.values()];
	const cap = smallestOf(entered.map((credential) => credential.cap ?? Infinity));
	queue.setCap(cap === Infinity ? undefined : cap);
	return queue;
}
