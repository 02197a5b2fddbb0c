import type { Quota } from './quota';
import type { ApiRequest } from './request';
import type { Cause } from './cause';

/** What the platform last said. All times are those of the clock. */
export interface Month extends Pick<Quota, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'> {
	/** What is used up, or kept as the reserve, is so until then: then a request leaves to tell. */
	readonly askAgainAt?: number;
	/** When the platform last said what remains. */
	readonly heardAt?: number;
}
/** A larger plan ends a spent month at once, so ten seconds later a request asks about it. */
const askAgainMs = 10_000;
/** The same for the reserve, where asking uses it up: four requests a day. */
const reserveAskedAgainMs = 6 * 3_600_000;
export function monthAfter(month: Month, quota: Quota, now: number): Month {
	const { monthlyLimit = month.monthlyLimit, monthlyRemaining, retryAt } = quota;
	if (quota.isSpent) {
		const askAgainAt = Math.min(retryAt ?? Infinity, now + askAgainMs);
		const monthReturnsAt = retryAt;
		return { monthlyLimit, monthlyRemaining: 0, askAgainAt, monthReturnsAt, heardAt: now };
	}
	if (monthlyRemaining === undefined) {
		// What was refused for want of requests is done again, so there are some, however many.
		const isBack = quota.isServed && month.monthlyRemaining === 0 && month.askAgainAt !== undefined;
		return isBack ? { monthlyLimit } : { ...month, monthlyLimit };
	}
	// Not every answer tells it.
	const { monthReturnsAt: known = -Infinity } = month;
	const { monthReturnsAt = known > now ? known : undefined } = quota;
	const end = Math.min(monthReturnsAt ?? Infinity, now + reserveAskedAgainMs);
	// Where nothing is left, nothing is kept by not asking.
	const askAgainAt = monthlyRemaining === 0 ? undefined : end;
	return { monthlyLimit, monthlyRemaining, askAgainAt, monthReturnsAt, heardAt: now };
}
/** `reserve`: so many are for registering people. */
export function refusalByMonth(
	{ askAgainAt = 0, monthlyRemaining: remaining = Infinity }: Month,
	reserve: number,
	{ usesReserve, asksAlways }: Pick<ApiRequest, 'usesReserve' | 'asksAlways'>,
	now: number,
): Cause | undefined {
	if (asksAlways) return undefined;
	if (now >= askAgainAt || remaining > reserve) return undefined;
	if (remaining === 0) return 'quota_spent';
	return usesReserve ? undefined : 'quota_reserved';
}
