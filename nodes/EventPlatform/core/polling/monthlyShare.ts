/* The month's requests come with times of our clock, so that all times in this file are milliseconds since 1970 and say so. */
import type { Usage } from '../client/usage';

/** The requests that polling with one trigger may cost. It is kept by the process, and stored with the trigger now and then. */
export interface Share {
	/** The number of requests that are paid for and not spent. Below 0 they were spent in advance. */
	credit: number;
	/** When the credit was calculated. */
	calculatedAtMs: number;
	/** The number of requests a day for all triggers of the credential together, as the platform's responses tell. */
	perDay: number;
	/** When the month returns, and with it what was spent in advance. */
	returnsAtMs?: number;
	/** The average number of requests that a poll costs. */
	cost?: number;
	/** How many triggers divided the share of the credential at the last poll. */
	triggers?: number;
}

/** The month as the platform's responses tell it, with its end in milliseconds. */
export type MonthlyUsage = Partial<
	Pick<Usage, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'>
>;

/** The platform's smallest plan has so many requests in 30 days. It is assumed where the responses do not say. */
export const usualMonth = 10_000;
/** A month has 30 parts for its days, and one for the requests that a new trigger may spend at once, so that nobody who tries it has to wait. */
const partsOfMonth = 31;
/** Polling may spend a third of the month. The rest is for registrations, and for all else that uses the credential. */
export const shareOfMonth = 1 / 3;
/** A new trigger has half a day's share at once. The other half covers what restarts cost. */
const dayPartOfNewTrigger = 1 / 2;

export const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** A trigger may poll every six hours however little is left, which finds out when the month returns. */
const leastPerDay = 4;
/** A poll pays for the requests of other processes with at most this part of what it earned: four processes that slow down to a quarter do no harm. */
const mostForOthers = 3 / 4;

/**
 * A process that has just started may poll within so many milliseconds of the trigger's turn. n8n needs longer to start,
 * so that a process that crashes again and again has at most one poll in each turn.
 */
const turnOpenMs = 15_000;

/** The number of requests a day for all triggers of a credential where the responses say nothing of the month. */
export const usualPerDay = (usualMonth / partsOfMonth) * shareOfMonth;

/**
 * Gives the number of requests a day for all triggers of a credential: a third of the month, evenly over its days. Of a month
 * that others have almost used up it is a third of what is left, evenly until the month returns.
 */
export function perDayOf(usage: MonthlyUsage, nowMs: number): number {
	const { monthlyLimit: limit = usualMonth, monthReturnsAt: returnsAtMs } = usage;
	const { monthlyRemaining: remaining = limit } = usage;
	const evenPerDay = limit / partsOfMonth;
	const isReturnKnown = returnsAtMs !== undefined && returnsAtMs > nowMs;
	const leftPerDay = isReturnKnown ? (remaining * dayMs) / (returnsAtMs - nowMs) : evenPerDay;
	return Math.min(evenPerDay, leftPerDay, remaining) * shareOfMonth;
}

/** Gives the number of requests a day for each of so many triggers. */
export function ratePerDay(perDay: number, triggers: number): number {
	return Math.max(leastPerDay, perDay / triggers);
}

/** Makes the share of a trigger that somebody has just activated for the first time. */
export function shareOfNewTrigger(triggers: number, nowMs: number): Share {
	// Where other triggers divide the share already, the first of them has spent that part.
	const credit = triggers === 1 ? usualPerDay * dayPartOfNewTrigger : 1;
	return { credit, calculatedAtMs: nowMs, perDay: usualPerDay };
}

/** The facts about a trigger that has not polled since the start of the process. */
export interface StartedTrigger {
	/** The share that is stored with it. */
	stored?: Share;
	/** When a poll of it was first due in this process. */
	firstDueAtMs: number;
	/** The part of a turn, from 0 to 1, by which its turns begin earlier than those of another trigger. */
	turnOffset: number;
	/** The number of requests that a poll costs when it finds nothing new. */
	leastCost: number;
}

/**
 * Gives the share until the first poll after a start. What was spent since the share was stored is not known, so that nothing
 * saved up is left, and the clock tells when the next poll is due: each trigger has its turns, as often as it may poll,
 * at the same times in every process and after every start.
 */
export function shareAfterStart(trigger: StartedTrigger, triggers: number, nowMs: number): Share {
	const { stored, firstDueAtMs, turnOffset, leastCost } = trigger;
	const { perDay = usualPerDay } = stored ?? {};
	const cost = Math.max(1, leastCost, stored?.cost ?? 0);
	const turnMs = (cost * dayMs) / ratePerDay(perDay, triggers);
	const sinceTurnMs = (nowMs + turnOffset * turnMs) % turnMs;
	const isDue = sinceTurnMs <= Math.max(turnOpenMs, nowMs - firstDueAtMs);
	const byClock = isDue ? 1 : 1 - cost * (1 - sinceTurnMs / turnMs);
	// A share with a time to come was stored while the clock was wrong, so it tells nothing.
	const isUsable = stored !== undefined && stored.calculatedAtMs <= nowMs;
	const byStored = isUsable ? earnCredit(stored, triggers, nowMs).credit : byClock;
	return { ...stored, credit: Math.min(byClock, byStored), calculatedAtMs: nowMs, perDay };
}

/** Adds the credit that a share has earned until now. It keeps the credit of one day, so that a busy day may follow a quiet one. */
export function earnCredit(share: Share, triggers: number, nowMs: number): Share {
	const { perDay, calculatedAtMs, returnsAtMs } = share;
	const rate = ratePerDay(perDay, triggers);
	const pastMs = Math.max(0, nowMs - calculatedAtMs);
	// Where a platform always says that the month returns soon, only the fewest polls are made for it.
	const hasReturned = returnsAtMs !== undefined && returnsAtMs <= nowMs;
	const isForgiven = hasReturned && pastMs >= dayMs / leastPerDay;
	const credit = isForgiven ? Math.max(share.credit, 1) : share.credit;
	const earned = Math.min(Math.max(credit, rate), credit + (pastMs / dayMs) * rate);
	return { ...share, credit: earned, calculatedAtMs: nowMs };
}

/** Whether the next poll is paid for. When one run could not take everything, the share of a week may be spent in advance. */
export function isPaid(share: Share, triggers: number, hasMore = false): boolean {
	const inAdvance = 7 * ratePerDay(share.perDay, triggers);
	return share.credit >= (hasMore ? -inAdvance : 1);
}

/**
 * Counts the requests of polling's third that are not spent, even if polling alone had spent what is gone of the month. It
 * gives undefined where the platform does not say how much is left, or when the month returns.
 */
export function unspentOf(usage: MonthlyUsage, nowMs: number): number | undefined {
	const { monthlyLimit: limit, monthlyRemaining: remaining, monthReturnsAt: returnsAtMs } = usage;
	if (limit === undefined || remaining === undefined || returnsAtMs === undefined) return undefined;
	const past = Math.min(1, Math.max(0, 1 - (returnsAtMs - nowMs) / monthMs));
	const sharesUntilNow = past * (monthMs / dayMs);
	return (sharesUntilNow * limit * shareOfMonth) / partsOfMonth - (limit - remaining);
}

/** The cost of a poll, and the month as its responses told it. */
export interface PollCost {
	/** The number of requests that the poll has sent. */
	requests: number;
	/** The month as the responses to the poll told it. */
	usage: MonthlyUsage;
	/** The number of requests that other processes have sent since the poll before. */
	foreign: number;
	/** Whether it is the first poll of the trigger since the process started. */
	isFirst: boolean;
}

/** Gives the share after a poll that it has paid for. `earned`: the credit that it had earned since the poll before. */
export function shareAfterPoll(
	share: Share,
	earned: number,
	cost: PollCost,
	triggers: number,
	nowMs: number,
): Share {
	const { requests, usage, foreign, isFirst } = cost;
	const perDay = perDayOf(usage, nowMs);
	const forOthers = Math.min(foreign, earned * mostForOthers);
	const unspent = isFirst ? unspentOf(usage, nowMs) : undefined;
	const creditLeft = share.credit - requests - forOthers;
	// Triggers that have not polled yet since the start will need their part of what is not spent.
	const leastCredit =
		unspent === undefined
			? creditLeft
			: Math.min(ratePerDay(perDay, triggers), unspent / (2 * triggers));
	const average = share.cost === undefined ? requests : (3 * share.cost + requests) / 4;
	return {
		credit: Math.max(creditLeft, leastCredit),
		calculatedAtMs: nowMs,
		perDay,
		returnsAtMs: usage.monthReturnsAt,
		cost: average,
		triggers,
	};
}
