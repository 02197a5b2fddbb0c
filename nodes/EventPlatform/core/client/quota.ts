import {
	parseHeaderTime,
	readLimitCounts,
	type LimitCounts,
	type WithHeaders,
} from '../dialect/limitHeaders';
import { hourMs, minuteMs, type Ms } from '../values/units';

/* This file reads what responses say of the limits, and keeps what they say of the month. */

/** The requests of a month, as far as the platform has told them. All times are by our clock, because it measures the waits. */
export interface MonthlyQuota extends Pick<LimitCounts, 'monthlyLimit' | 'monthlyRemaining'> {
	/** When the month begins anew, in milliseconds since 1970. */
	monthReturnsAt?: Ms;
}

/** The limits of section 8, as far as a response tells them. */
export interface Quota extends LimitCounts, MonthlyQuota {
	retryAt?: Ms;
	isServed?: boolean;
	/** The month is used up, so that waiting a few seconds is of no use. */
	isSpent?: boolean;
}

/** Reads the limits from a response. All times are by our clock, which may differ from the platform's; the header `Date` shows that one. */
export function readQuota(response: WithHeaders & { readonly status: number }, now: Ms): Quota {
	const { status } = response;
	const counts = readLimitCounts(response);
	const { monthlyRemaining } = counts;
	const reset = parseHeaderTime('ratelimit-reset', response, now);
	// The header does not say of which limit it is. The limit per second is back within a minute, whatever the clocks.
	const isOfSecond = reset !== undefined && reset - now <= minuteMs;
	// While requests are left in the month, nobody waits for its return. A late reset may also be of a clock that is ahead.
	const isNoWait = !isOfSecond && monthlyRemaining !== undefined && monthlyRemaining > 0;
	const retryAt = parseHeaderTime('retry-after', response, now) ?? (isNoWait ? undefined : reset);
	// Where the platform does not tell what is left: no limit but the month's makes anybody wait for an hour.
	const isLongWait = retryAt !== undefined && retryAt - now > hourMs;
	const isMonthUsedUp = monthlyRemaining === undefined ? isLongWait : monthlyRemaining === 0;
	return {
		...counts,
		monthReturnsAt: isOfSecond ? undefined : reset,
		retryAt,
		isServed: status < 400,
		isSpent: status === 429 && isMonthUsedUp,
	};
}

/** The month's requests, as the platform last told. */
export interface Month extends MonthlyQuota {
	/** Up to this time no request leaves, because the platform has said that the month is used up. */
	readonly spentUntil?: Ms;
}

/** More requests that somebody buys end a spent month at once, so ten seconds later requests are sent again, and their responses tell. */
export const askAgainMs: Ms = 10_000;

export function monthAfter(month: Month, quota: Quota, now: Ms): Month {
	const { monthlyLimit = month.monthlyLimit, monthlyRemaining, retryAt } = quota;
	if (quota.isSpent) {
		const spentUntil = Math.min(retryAt ?? Infinity, now + askAgainMs);
		const monthReturnsAt = retryAt;
		return { monthlyLimit, monthlyRemaining: 0, spentUntil, monthReturnsAt };
	}
	if (monthlyRemaining === undefined) {
		// A request is served although the month was used up, so it is no longer.
		const isBack = quota.isServed && month.spentUntil !== undefined;
		return isBack ? { monthlyLimit } : { ...month, monthlyLimit };
	}
	// Some responses do not say when the month returns.
	const knownReturnAt = month.monthReturnsAt ?? 0;
	const { monthReturnsAt = knownReturnAt > now ? knownReturnAt : undefined } = quota;
	return { monthlyLimit, monthlyRemaining, monthReturnsAt };
}

/** A month of which nothing is left is spent once a request got a 429 for it: holding requests back before would save nothing. */
export function isMonthSpent({ spentUntil = 0 }: Month, now: Ms): boolean {
	return now < spentUntil;
}
