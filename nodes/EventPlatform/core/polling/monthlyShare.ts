import type { Usage } from '../client/usage';

/** The requests that polling with one trigger may cost. It is kept by the process, and stored with the trigger now and then. */
export interface Share {
	/** Requests that are paid for and not spent; below 0: spent in advance. */
	credit: number;
	/** When the credit was calculated, in milliseconds since 1970, like all times here. */
	at: number;
	/** Requests a day for all triggers of the credential together, as the platform's responses tell. */
	perDay: number;
	/** When the month returns, and with it what was spent in advance. */
	returnsAt?: number;
	/** The average cost of a poll. */
	cost?: number;
	/** How many triggers divided the credential's share at the last poll. */
	triggers?: number;
}

/** The month as the platform tells it. */
export type MonthlyUsage = Partial<
	Pick<Usage, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'>
>;

/** The platform's smallest plan has so many requests in 30 days. It is assumed where the responses do not say. */
export const usualMonth = 10_000;
/** The parts of a month: 30 days, and one for what a new trigger may spend at once, so that nobody who tries it has to wait. */
const partsOfMonth = 31;
/** Polling's part of the month. The rest is for registrations, and for all else that uses the credential. */
export const shareOfMonth = 1 / 3;
/** A new trigger has half a day's share at once. The other half covers what restarts cost. */
const dayPartOfNewTrigger = 1 / 2;

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** However little is left, a poll every six hours finds out when the month returns. */
const leastPerDay = 4;
/** The requests of other processes slow polling down to a quarter, which four processes may do without harm. */
const mostForOthers = 3 / 4;

/**
 * A process that has just started may poll within so many milliseconds of the trigger's turn. n8n needs longer to start,
 * so that a process that crashes again and again has at most one poll in each turn.
 */
const turnOpenMs = 15_000;

export const usualPerDay = perDayOf({}, 0);

/**
 * Requests a day for all triggers of a credential: a third of the month, evenly over its days; of a month that others
 * have almost used up, a third of what is left, evenly until it returns.
 */
export function perDayOf(usage: MonthlyUsage, now: number): number {
	const { monthlyLimit: limit = usualMonth, monthReturnsAt: returnsAt = 0 } = usage;
	const { monthlyRemaining: remaining = limit } = usage;
	const evenPerDay = limit / partsOfMonth;
	const leftPerDay = returnsAt > now ? (remaining * dayMs) / (returnsAt - now) : evenPerDay;
	return Math.min(evenPerDay, leftPerDay, remaining) * shareOfMonth;
}

/** Requests a day for one of so many triggers. */
export function ratePerDay(perDay: number, triggers: number): number {
	return Math.max(leastPerDay, perDay / triggers);
}

/** The share of a trigger that somebody has just activated for the first time. */
export function shareOfNewTrigger(triggers: number, now: number): Share {
	// Where other triggers divide the share already, the first of them has spent that part.
	const credit = triggers === 1 ? usualPerDay * dayPartOfNewTrigger : 1;
	return { credit, at: now, perDay: usualPerDay };
}

/** The facts about a trigger that has not polled since the start of the process. */
export interface StartedTrigger {
	/** The share that is stored with it. */
	stored?: Share;
	/** When the process first knew of it. */
	startedAt: number;
	/** Where its turns begin, from 0 to 1. */
	phase: number;
	/** The cost of a poll where nothing is new. */
	leastCost: number;
}

/**
 * The share until the first poll after a start. What was spent since the share was stored is not known, so that nothing
 * saved up is left, and the clock tells when the next poll is due: each trigger has its turns, as often as it may poll,
 * at the same times in every process and after every start.
 */
export function shareAfterStart(trigger: StartedTrigger, triggers: number, now: number): Share {
	const { stored, startedAt, phase, leastCost } = trigger;
	const { perDay = usualPerDay } = stored ?? {};
	const cost = Math.max(1, leastCost, stored?.cost ?? 0);
	const turnMs = (cost * dayMs) / ratePerDay(perDay, triggers);
	const sinceTurnMs = (now + phase * turnMs) % turnMs;
	const isDue = sinceTurnMs <= Math.max(turnOpenMs, now - startedAt);
	const byClock = isDue ? 1 : 1 - cost * (1 - sinceTurnMs / turnMs);
	// A share with a time to come was stored while the clock was wrong, so it tells nothing.
	const isUsable = stored !== undefined && stored.at <= now;
	const byStored = isUsable ? earn(stored, triggers, now).credit : byClock;
	return { ...stored, credit: Math.min(byClock, byStored), at: now, perDay };
}

/** The share with what has been paid for until now. A day's share is kept, so that a busy day may follow a quiet one. */
export function earn(share: Share, triggers: number, now: number): Share {
	const { perDay, at, returnsAt } = share;
	const rate = ratePerDay(perDay, triggers);
	const pastMs = Math.max(0, now - at);
	// Where a platform always says that the month returns soon, only the fewest polls are made for it.
	const hasReturned = returnsAt !== undefined && returnsAt <= now;
	const isForgiven = hasReturned && pastMs >= dayMs / leastPerDay;
	const credit = isForgiven ? Math.max(share.credit, 1) : share.credit;
	const earned = Math.min(Math.max(credit, rate), credit + (pastMs / dayMs) * rate);
	return { ...share, credit: earned, at: now };
}

/** Whether the next poll is paid for. What one run could not take may be spent for a week in advance. */
export function isPaid(share: Share, triggers: number, hasMore = false): boolean {
	const inAdvance = 7 * ratePerDay(share.perDay, triggers);
	return share.credit >= (hasMore ? -inAdvance : 1);
}

/**
 * How much of polling's third is not spent, even if polling alone had spent what is gone of the month. Undefined where
 * the platform does not say how much is left, or when the month returns.
 */
export function unspentOf(usage: MonthlyUsage, now: number): number | undefined {
	const { monthlyLimit: limit, monthlyRemaining: remaining, monthReturnsAt: returnsAt } = usage;
	if (limit === undefined || remaining === undefined || returnsAt === undefined) return undefined;
	const past = Math.min(1, Math.max(0, 1 - (returnsAt - now) / monthMs));
	const sharesUntilNow = past * (monthMs / dayMs);
	return (sharesUntilNow * limit * shareOfMonth) / partsOfMonth - (limit - remaining);
}

/** The cost of a poll, and the month as its responses told it. */
export interface PollCost {
	requests: number;
	usage: MonthlyUsage;
	/** Requests of other processes since the poll before. */
	foreign: number;
	/** Whether it is the first poll since the start of the process. */
	isFirst: boolean;
}

/** The share after a poll that it has paid for. `earned`: what it had earned since the poll before. */
export function shareAfterPoll(
	share: Share,
	earned: number,
	cost: PollCost,
	triggers: number,
	now: number,
): Share {
	const { requests, usage, foreign, isFirst } = cost;
	const perDay = perDayOf(usage, now);
	const forOthers = Math.min(foreign, earned * mostForOthers);
	const unspent = isFirst ? unspentOf(usage, now) : undefined;
	const creditLeft = share.credit - requests - forOthers;
	// Triggers that have not polled yet since the start will need their part of what is not spent.
	const leastCredit =
		unspent === undefined
			? creditLeft
			: Math.min(ratePerDay(perDay, triggers), unspent / (2 * triggers));
	const average = share.cost === undefined ? requests : (3 * share.cost + requests) / 4;
	return {
		credit: Math.max(creditLeft, leastCredit),
		at: now,
		perDay,
		returnsAt: usage.monthReturnsAt,
		cost: average,
		triggers,
	};
}
