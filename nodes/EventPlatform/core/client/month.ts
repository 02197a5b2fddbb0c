import type { Quota } from './quota';
import type { Ms } from '../values/units';

/** The month's requests, as the platform last told. All times are those of the clock. */
export interface Month extends Pick<Quota, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'> {
	/** Up to this time requests are refused here, because the platform has refused one for want of requests. */
	readonly spentUntil?: Ms;
	/** When the platform last said what remains. */
	readonly heardAt?: Ms;
}

/** More requests that somebody buys end a spent month at once, so ten seconds later requests are sent again, and their responses tell. */
export const askAgainMs: Ms = 10_000;

export function monthAfter(month: Month, quota: Quota, now: Ms): Month {
	const { monthlyLimit = month.monthlyLimit, monthlyRemaining, retryAt } = quota;
	if (quota.isSpent) {
		const spentUntil = Math.min(retryAt ?? Infinity, now + askAgainMs);
		const monthReturnsAt = retryAt;
		return { monthlyLimit, monthlyRemaining: 0, spentUntil, monthReturnsAt, heardAt: now };
	}
	if (monthlyRemaining === undefined) {
		// A request is served again where another was refused for want of requests, so some are left.
		const isBack = quota.isServed && month.spentUntil !== undefined;
		return isBack ? { monthlyLimit } : { ...month, monthlyLimit };
	}
	// Some responses do not say when the month returns.
	const knownReturnAt = month.monthReturnsAt ?? 0;
	const { monthReturnsAt = knownReturnAt > now ? knownReturnAt : undefined } = quota;
	return { monthlyLimit, monthlyRemaining, monthReturnsAt, heardAt: now };
}

/** A month of which nothing is left is spent once a request was refused for it: holding requests back before would save nothing. */
export function isMonthSpent({ spentUntil = 0 }: Month, now: Ms): boolean {
	return now < spentUntil;
}
