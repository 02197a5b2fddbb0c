import type { Cause } from '../http/failure';
import type { ApiRequest } from '../http/ports';
import type { Quota } from '../http/quota';

/** What the platform last said of the requests of the month. All times are those of the clock. */
export interface Month {
	readonly limit?: number;
	readonly remaining?: number;
	/** When the answer came that told what remains. */
	readonly seenAt?: number;
	/** They are used up, and asked about again at this moment. */
	readonly askAgainAt: number;
	/** When they return, as far as the platform said. */
	readonly returnsAt?: number;
}

/** A larger plan ends a spent month at once, so one request in a minute asks about it. */
const askAgainMs = 60_000;
/** The same for the reserve, where asking uses it up: four requests a day. */
const reserveAskedAgainMs = 6 * 3_600_000;

export const unknownMonth: Month = { askAgainAt: -Infinity };

export function afterAnswer(month: Month, quota: Quota, spent: boolean, now: number): Month {
	const { monthlyLimit: limit = month.limit, monthlyRemaining, retryAt = Infinity } = quota;
	if (spent) {
		const askAgainAt = Math.min(retryAt, now + askAgainMs);
		return { limit, remaining: 0, seenAt: now, askAgainAt, returnsAt: quota.retryAt };
	}
	if (monthlyRemaining === undefined) return { ...month, limit };
	const { returnsAt = -Infinity } = month;
	return {
		...{ ...unknownMonth, limit, remaining: monthlyRemaining, seenAt: now },
		// Not every answer tells it.
		returnsAt: quota.monthReturnsAt ?? (returnsAt > now ? returnsAt : undefined),
	};
}

/**
 * Why a request may not leave, by what is known of the month. `reserve`: so many are only for requests
 * that register people. While nothing is known, and at times afterwards, a request leaves and its answer tells.
 */
export function refusalByMonth(
	month: Month,
	reserve: number,
	{ usesReserve }: Pick<ApiRequest, 'usesReserve'>,
	now: number,
): Cause | undefined {
	const { askAgainAt, remaining = Infinity, seenAt = now, returnsAt = Infinity } = month;
	if (now < askAgainAt) return 'quota_spent';
	// Where nothing is left, nothing is kept by not asking.
	if (usesReserve || remaining > reserve || remaining === 0) return undefined;
	return now < Math.min(returnsAt, seenAt + reserveAskedAgainMs) ? 'quota_reserved' : undefined;
}
