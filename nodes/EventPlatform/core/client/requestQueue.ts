import type { ApiRequest, Answer } from './request';
import type { Usage } from './usage';
import { startLimiter, earliest, afterSending, afterAnswer, withRates, perSecond } from './limiter';
import { readQuota } from './quota';
import type { Clock } from './clock';
import { type Month, refusalByMonth, monthAfter } from './month';
import { observe, rateOf } from './consumption';
import { Failure } from './failure';
import { longestPauseMs } from './retryPolicy';
import { Cancelled } from './cancelled';

/** One queue for all who use a token: requests leave in the order in which they asked. */
export interface Pace {
	/** Resolves with the moment of its turn. Throws a `Cancelled`, or a `Failure` when that would come too late. */
	turn(request: ApiRequest, signal?: AbortSignal): Promise<number>;
	/** What the platform said about the limits. `sentAt`: what `turn` resolved with. */
	learn(answer: Answer, sentAt?: number): void;
	/** `cap`: per second, absent: all that the platform allows. `reserve`: of the month, for those that use it. */
	limitTo(cap?: number, reserve?: number): void;
	usage(): Omit<Usage, 'requests' | 'refused'>;
}
interface Waiter {
	request: ApiRequest;
	/** Lets the waiter look again: it is first in the line, or may leave sooner, or has to give up. */
	wake: () => void;
}
/** The queue of those who wait until their request may leave. */
export function createPace(clock: Clock, random = Math.random): Pace {
	// Section 8, until the platform says otherwise.
	let limit = startLimiter(5);
	let month: Month = {};
	let reserve = 0;
	let consumption: ReturnType<typeof observe> = [];
	let sent = 0;
	const line: Waiter[] = [];

	/** Why the waiter at this place of the line should not wait any longer. */
	function refusal(waiter: Waiter): Failure | undefined {
		const { request } = waiter;
		const now = clock.now();
		const cause = refusalByMonth(month, reserve, request, now);
		if (cause) {
			const status = cause === 'quota_spent' ? 429 : undefined;
			const { monthReturnsAt: retryAt, heardAt } = month;
			return new Failure(cause, request, { status, retryAt, heardAt });
		}
		const at = earliest(limit, now, line.indexOf(waiter));
		const pause = (limit.pausedUntil ?? now) - now;
		if (at <= (request.deadline ?? Infinity) && pause <= longestPauseMs) return undefined;
		return new Failure(pause > 0 ? 'rate_limited' : 'time_over', request, { retryAt: at });
	}

	async function wait(waiter: Waiter, changed: () => Promise<void>, signal?: AbortSignal) {
		for (;;) {
			if (signal?.aborted) throw new Cancelled();
			const failure = refusal(waiter);
			if (failure) throw failure;
			if (line[0] !== waiter) {
				await changed();
				continue;
			}
			const now = clock.now();
			const at = earliest(limit, now);
			if (at <= now) return now;
			await Promise.race([clock.sleep(at - now, signal), changed()]);
		}
	}

	/** Those that wait look again if they may leave sooner or have to give up. */
	function change(next: typeof limit): void {
		const now = clock.now();
		const isLonger = (next.pausedUntil ?? 0) > (limit.pausedUntil ?? 0);
		const isSooner = earliest(next, now) < earliest(limit, now);
		limit = next;
		if (isLonger) wakeAll();
		else if (isSooner) line[0]?.wake();
	}

	function wakeAll(): void {
		for (const waiter of [...line]) waiter.wake();
	}

	return {
		async turn(request, signal) {
			let look = () => {};
			const waiter: Waiter = { request, wake: () => look() };
			const changed = () => new Promise<void>((resolve) => (look = resolve));
			signal?.addEventListener('abort', waiter.wake);
			line.push(waiter);
			try {
				const now = await wait(waiter, changed, signal);
				limit = afterSending(limit, now, random);
				sent++;
				return now;
			} finally {
				signal?.removeEventListener('abort', waiter.wake);
				line.splice(line.indexOf(waiter), 1);
				line[0]?.wake();
			}
		},
		learn(answer, sentAt = clock.now()) {
			const now = clock.now();
			const quota = readQuota(answer, now);
			month = monthAfter(month, quota, now);
			consumption = observe(consumption, month.monthlyRemaining, now);
			if (quota.isSpent) return wakeAll();
			const { intervalLimit: allowed, retryAt = now } = quota;
			const lesson = { isRefused: answer.status === 429, allowed, pauseMs: retryAt - now };
			change(afterAnswer(limit, lesson, sentAt, now, random));
		},
		limitTo(most, reserved = 0) {
			reserve = reserved;
			change(withRates(limit, { allowed: limit.allowed, cap: most }));
		},
		usage: () => ({
			...month,
			perSecond: perSecond(limit),
			sentByProcess: sent,
			rate: rateOf(consumption, month.monthlyRemaining, clock.now()),
		}),
	};
}
const paces = new Map<string, { pace: Pace; usedAt: number }>();
/** So long after the last run that used it, a pace knows nothing of use but the month, which the next answer tells. */
const forgottenMs = 24 * 3_600_000;
/** The one pace of this process for a base URL and credential, whatever node or run asks. */
export function paceFor(key: string, clock: Clock, cap?: number, reserve?: number): Pace {
	const now = clock.now();
	for (const [other, { usedAt }] of paces) {
		if (other !== key && now - usedAt > forgottenMs) paces.delete(other);
	}
	const { pace } = paces.get(key) ?? { pace: createPace(clock) };
	pace.limitTo(cap, reserve);
	paces.set(key, { pace, usedAt: now });
	return pace;
}
