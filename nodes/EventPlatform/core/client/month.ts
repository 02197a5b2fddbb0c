import type { Cause } from './cause';
import type { Quota } from './quota';

/** The month's requests, as the platform last told. All times are those of the clock. */
export interface Month extends Pick<Quota, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'> {
	/** Up to this time the month counts as used up. Then one request leaves to ask whether it still is. */
	readonly askAgainAt?: number;
	/** When that request left; undefined while none is under way. */
	readonly askedAt?: number;
	/** When the platform last said what remains. */
	readonly heardAt?: number;
}

export interface MonthlyRights {
	/** It is sent even where the month's requests are used up. */
	ignoresQuota?: boolean;
}

/** More requests that somebody buys end a spent month at once, so ten seconds later a request asks about it. */
export const askAgainMs = 10_000;

export function monthAfter(month: Month, quota: Quota, now: number): Month {
	const { monthlyLimit = month.monthlyLimit, monthlyRemaining, retryAt } = quota;
	if (quota.isSpent) {
		const askAgainAt = Math.min(retryAt ?? Infinity, now + askAgainMs);
		const monthReturnsAt = retryAt;
		return { monthlyLimit, monthlyRemaining: 0, askAgainAt, monthReturnsAt, heardAt: now };
	}
	if (monthlyRemaining === undefined) return monthAfterSilence({ ...month, monthlyLimit }, quota);
	// Some responses do not say when the month returns.
	const knownReturnAt = month.monthReturnsAt ?? 0;
	const { monthReturnsAt = knownReturnAt > now ? knownReturnAt : undefined } = quota;
	return { monthlyLimit, monthlyRemaining, monthReturnsAt, heardAt: now };
}

function monthAfterSilence(month: Month, { isServed }: Quota): Month {
	const { monthlyLimit, monthlyRemaining, askAgainAt, askedAt } = month;
	if (!isServed) return month;
	// A request is served again where all were refused for want of requests, so some are left.
	if (monthlyRemaining === 0 && askAgainAt !== undefined) return { monthlyLimit };
	return askedAt === undefined ? month : { ...month, askAgainAt: askedAt, askedAt: undefined };
}

/**
 * The first request that would be refused asks whether the month is still used up, and all others wait for its response. Where the
 * response does not say, the next request asks at once.
 */
export function whileAsking(month: Month, now: number): Month {
	if (month.askAgainAt === undefined || now < month.askAgainAt) return month;
	return { ...month, askedAt: now, askAgainAt: now + askAgainMs };
}

export function isAskedAbout({ askedAt, askAgainAt }: Month, now: number): boolean {
	return askedAt !== undefined && askAgainAt !== undefined && now < askAgainAt;
}

export function refusalByMonth(
	{ askAgainAt = 0, monthlyRemaining: remaining = Infinity }: Month,
	{ ignoresQuota }: MonthlyRights,
	now: number,
): Cause | undefined {
	if (ignoresQuota || now >= askAgainAt || remaining > 0) return undefined;
	return 'quota_spent';
}
