import type { Cause } from '../http/failure';
import type { ApiRequest } from '../http/ports';
import type { Quota } from '../http/quota';

/** What the platform last said. All times are those of the clock. */
export interface Month {
	readonly limit?: number;
	readonly remaining?: number;
	/** When `remaining` was told. */
	readonly seenAt?: number;
	/** Used up until then, when it is asked again. */
	readonly askAgainAt?: number;
	readonly returnsAt?: number;
}

/** A larger plan ends a spent month at once, so one request in a minute asks about it. */
const askAgainMs = 60_000;
/** The same for the reserve, where asking uses it up: four requests a day. */
const reserveAskedAgainMs = 6 * 3_600_000;

export const unknownMonth: Month = {};

export function monthAfter(month: Month, quota: Quota, now: number): Month {
	const { monthlyLimit: limit = month.limit, monthlyRemaining, retryAt = Infinity } = quota;
	if (quota.isSpent) {
		const askAgainAt = Math.min(retryAt, now + askAgainMs);
		return { limit, remaining: 0, seenAt: now, askAgainAt, returnsAt: quota.retryAt };
	}
	if (monthlyRemaining === undefined) return { ...month, limit };
	const { returnsAt = -Infinity } = month;
	// Not every answer tells it.
	const { monthReturnsAt = returnsAt > now ? returnsAt : undefined } = quota;
	return { limit, remaining: monthlyRemaining, seenAt: now, returnsAt: monthReturnsAt };
}

/** `reserve`: so many are for registering people. While nothing is known, and at times later, a request leaves to tell. */
export function refusalByMonth(
	month: Month,
	reserve: number,
	{ usesReserve }: Pick<ApiRequest, 'usesReserve'>,
	now: number,
): Cause | undefined {
	const { askAgainAt = 0, remaining = Infinity, seenAt = now, returnsAt = Infinity } = month;
	if (now < askAgainAt) return 'quota_spent';
	// Where nothing is left, nothing is kept by not asking.
	if (usesReserve || remaining > reserve || remaining === 0) return undefined;
	return now < Math.min(returnsAt, seenAt + reserveAskedAgainMs) ? 'quota_reserved' : undefined;
}

/** What was left at several moments, oldest first: how fast all who use the token spend the month. */
export type Consumption = ReadonlyArray<{ at: number; remaining: number }>;

const dayMs = 24 * 3_600_000;
/** 96 samples make a day. */
const betweenSamplesMs = 15 * 60_000;
/** Below that, one bulk run would be taken for the habit of the whole day. */
const leastMs = 3_600_000;
/** Answers may overtake each other, but no more than 20 requests are under way. More is a new month. */
const mostOvertaken = 20;

export function observe(before: Consumption, remaining: number | undefined, at: number) {
	if (remaining === undefined) return before;
	const last = before.at(-1);
	if (last && remaining > last.remaining + mostOvertaken) return [{ at, remaining }];
	if (last && at - last.at < betweenSamplesMs) return before;
	// The newest sample that is a day old is what the day is measured from; older ones are not needed.
	const start = before.findLastIndex((sample) => at - sample.at >= dayMs);
	return [...before.slice(Math.max(0, start)), { at, remaining }];
}

/** Over the last day, or as much of it as is known; undefined below an hour. */
export function rateOf(consumption: Consumption, remaining: number | undefined, now: number) {
	const first = consumption.findLast(({ at }) => now - at >= dayMs) ?? consumption[0];
	if (first === undefined || remaining === undefined || now - first.at < leastMs) return undefined;
	const used = Math.max(0, first.remaining - remaining);
	return { perDay: (used * dayMs) / (now - first.at), since: first.at };
}
