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

export const unknownMonth: Month = { askAgainAt: -Infinity };

export function afterAnswer(month: Month, quota: Quota, spent: boolean, now: number): Month {
	const { monthlyLimit: limit = month.limit, monthlyRemaining, retryAt = Infinity } = quota;
	if (spent) {
		const askAgainAt = Math.min(retryAt, now + askAgainMs);
		return { limit, remaining: 0, seenAt: now, askAgainAt, returnsAt: quota.retryAt };
	}
	if (monthlyRemaining === undefined) return { ...month, limit };
	return { ...unknownMonth, limit, remaining: monthlyRemaining, seenAt: now };
}
