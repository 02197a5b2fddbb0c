import type { Usage } from '../http/ports';

/** How many requests polling may cost, stored with the trigger. All times are milliseconds since 1970. */
export interface Share {
	/** Requests that are paid for and not spent; below 0: spent in advance. */
	credit: number;
	at: number;
	perDay: number;
	/** When the month returns, and with it what was spent in advance. */
	returnsAt?: number;
}

/** What the platform's smallest plan has in 30 days, where the answers do not say. */
export const usualMonth = 10_000;
/** A day's share is there from the start, so that who tries the trigger does not wait. */
const shares = 31;
/** The rest is for registrations, and for all else that uses the credential. */
export const shareOfMonth = 1 / 3;

const dayMs = 86_400_000;
/** However little is left: a look every six hours finds out when the month returns. */
const leastPerDay = 4;

export const usualPerDay = perDayOf({}, 0, 1);

/** What has been paid for until now. A day's share is kept, so that a busy day may follow a quiet one. */
export function earn(share: Partial<Share> = {}, now: number): Share {
	const { perDay = usualPerDay, at = now, returnsAt = Infinity } = share;
	const pastMs = Math.max(0, now - at);
	// A platform that always says "soon" gets no more than the least looks for it.
	const isOver = returnsAt <= now && pastMs >= dayMs / leastPerDay;
	const credit = Math.max(share.credit ?? perDay, isOver ? 1 : -Infinity);
	const earned = Math.min(Math.max(credit, perDay), credit + (pastMs / dayMs) * perDay);
	return { credit: earned, at: now, perDay };
}

/** What one run could not take may be spent for a week in advance. */
export function isPaid({ credit, perDay }: Share, hasMore = false): boolean {
	return credit >= (hasMore ? -7 * perDay : 1);
}

/**
 * A third of the month, evenly over its days; of a month that others have almost used up, a third of what
 * is left, evenly until it returns. Several triggers with one credential divide it.
 */
export function perDayOf(usage: Partial<Usage>, now: number, triggers: number): number {
	const { monthlyLimit: limit = usualMonth, monthReturnsAt: returnsAt = 0 } = usage;
	const { monthlyRemaining: remaining = limit } = usage;
	const even = limit / shares;
	const left = returnsAt > now ? (remaining * dayMs) / (returnsAt - now) : even;
	return Math.max(leastPerDay, (Math.min(even, left, remaining) * shareOfMonth) / triggers);
}

/** Which triggers of this process polled within a day, and with which credential. */
const pollers = new Map<string, { credential: string; at: number }>();

/** How many triggers divide the share of a credential. */
export function pollersOf(credential: string, trigger: string, now: number): number {
	pollers.set(trigger, { credential, at: now });
	for (const [other, { at }] of pollers) if (now - at > dayMs) pollers.delete(other);
	return [...pollers.values()].filter((one) => one.credential === credential).length;
}
