/* The month's requests come with times of our clock, so that all times in this file are milliseconds since 1970 and say so. */
import type { Usage } from '../client/usage';

/** The requests that polling with one trigger may cost. It is kept by the process, and stored with the trigger now and then. */
export interface Share {
	/** The number of requests that are paid for and not spent. A number below 0 was spent in advance. */
	credit: number;
	/** When the credit was calculated. */
	calculatedAtMs: number;
	/** The number of requests a day for all triggers of the credential together, as the platform's responses tell. */
	perDay: number;
	/** When the month's requests return, and the requests that were spent in advance are forgiven. Absent: the responses do not tell it. */
	returnsAtMs?: number;
	/** The average number of requests that a poll costs, in which later polls weigh more. Absent: there was no poll yet. */
	cost?: number;
	/** The number of triggers that divided the share of the credential at the last poll. Absent: there was no poll yet. */
	triggers?: number;
}

/** The month as the platform's responses tell it, with its end in milliseconds. */
export type MonthlyUsage = Partial<
	Pick<Usage, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'>
>;

/** The platform's smallest plan has so many requests in 30 days. It is assumed where the responses do not say. */
const usualMonth = 10_000;
/** A month has 30 parts for its days, and one for the requests that a new trigger may spend at once, so that nobody who tries it has to wait. */
const partsOfMonth = 31;
/** Polling may spend a third of the month. The rest is for registrations, and for all else that uses the credential. */
const shareOfMonth = 1 / 3;
/** A new trigger has half a day's share at once. The other half covers what restarts cost. */
const dayPartOfNewTrigger = 1 / 2;

export const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** A trigger may poll every six hours however little is left, which finds out when the month returns. */
const leastPerDay = 4;
/** A poll pays for the requests of other processes with at most this part of its earned credit. So polling slows down to a quarter at most, with which four processes do no harm. */
const mostForOthers = 3 / 4;

/** Where one run could not take everything, the share of so many days may be spent in advance. */
const daysInAdvance = 7;

/**
 * After a start, the triggers of a credential may together spend this part of what polling has left of its third until now. The
 * rest stays unspent.
 */
const partOfUnspent = 1 / 2;

/**
 * The former average counts so many times as much as the latest poll, so that one unusual poll changes the average by a quarter of
 * the difference.
 */
const weightOfFormerCost = 3;

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
	// Where other triggers divide the share already, the first of them has spent the half day that new triggers have at once.
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
 * Gives the share until the first poll after a start. It is not known how much was spent since the share was stored, so that
 * savings do not count, and the clock tells when the next poll is due: each trigger has its turns, as often as it may poll, at the
 * same times in every process and after every start.
 */
export function shareAfterStart(trigger: StartedTrigger, triggers: number, nowMs: number): Share {
	const { stored, firstDueAtMs, turnOffset, leastCost } = trigger;
	const { perDay = usualPerDay } = stored ?? {};
	const cost = Math.max(1, leastCost, stored?.cost ?? 0);
	const turnMs = (cost * dayMs) / ratePerDay(perDay, triggers);
	const sinceTurnMs = (nowMs + turnOffset * turnMs) % turnMs;
	const isDue = sinceTurnMs <= Math.max(turnOpenMs, nowMs - firstDueAtMs);
	const creditByClock = isDue ? 1 : 1 - cost * (1 - sinceTurnMs / turnMs);
	// A share whose time is still to come was stored while the clock was wrong, so it tells nothing.
	const isUsable = stored !== undefined && stored.calculatedAtMs <= nowMs;
	const creditByStored = isUsable ? earnCredit(stored, triggers, nowMs).credit : creditByClock;
	return {
		...stored,
		credit: Math.min(creditByClock, creditByStored),
		calculatedAtMs: nowMs,
		perDay,
	};
}

/** Adds the credit that a share has earned until now. It keeps the credit of one day, so that a busy day may follow a quiet one. */
export function earnCredit(share: Share, triggers: number, nowMs: number): Share {
	const { perDay, calculatedAtMs, returnsAtMs } = share;
	const earnedPerDay = ratePerDay(perDay, triggers);
	const pastMs = Math.max(0, nowMs - calculatedAtMs);
	// A platform may always say that the month returns soon, so debts are forgiven no more often than a trigger may poll anyway.
	const hasReturned = returnsAtMs !== undefined && returnsAtMs <= nowMs;
	const isForgiven = hasReturned && pastMs >= dayMs / leastPerDay;
	const credit = isForgiven ? Math.max(share.credit, 1) : share.credit;
	const earned = Math.min(Math.max(credit, earnedPerDay), credit + (pastMs / dayMs) * earnedPerDay);
	return { ...share, credit: earned, calculatedAtMs: nowMs };
}

/** Whether the next poll is paid for. `hasMore`: whether one run could not take everything, so that the share of a week may be spent in advance. */
export function isPaid(share: Share, triggers: number, hasMore = false): boolean {
	const mostInAdvance = daysInAdvance * ratePerDay(share.perDay, triggers);
	return share.credit >= (hasMore ? -mostInAdvance : 1);
}

/**
 * Counts the requests of polling's third until now that are not spent, even if polling alone had spent all that is gone of the
 * month. It gives undefined where the platform does not say how much is left, or when the month returns.
 */
export function unspentOf(usage: MonthlyUsage, nowMs: number): number | undefined {
	const { monthlyLimit: limit, monthlyRemaining: remaining, monthReturnsAt: returnsAtMs } = usage;
	if (limit === undefined || remaining === undefined || returnsAtMs === undefined) return undefined;
	const pastPart = Math.min(1, Math.max(0, 1 - (returnsAtMs - nowMs) / monthMs));
	const sharesUntilNow = pastPart * (monthMs / dayMs);
	return (sharesUntilNow * limit * shareOfMonth) / partsOfMonth - (limit - remaining);
}

/** The cost of a poll, and the month as its responses told it. */
export interface PollCost {
	/** The number of requests that the poll has sent. */
	requests: number;
	/** The month as the responses to the poll told it. */
	usage: MonthlyUsage;
	/** The number of requests that other processes have sent since the poll before. */
	requestsOfOthers: number;
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
	const { requests, usage, requestsOfOthers, isFirst } = cost;
	const perDay = perDayOf(usage, nowMs);
	const spentForOthers = Math.min(requestsOfOthers, earned * mostForOthers);
	const unspent = isFirst ? unspentOf(usage, nowMs) : undefined;
	const creditLeft = share.credit - requests - spentForOthers;
	// Triggers that have not polled yet since the start will need their part of what is not spent.
	const unspentForTrigger =
		unspent === undefined ? undefined : (partOfUnspent * unspent) / triggers;
	const leastCredit =
		unspentForTrigger === undefined
			? creditLeft
			: Math.min(ratePerDay(perDay, triggers), unspentForTrigger);
	const averageCost =
		share.cost === undefined
			? requests
			: (weightOfFormerCost * share.cost + requests) / (weightOfFormerCost + 1);
	return {
		credit: Math.max(creditLeft, leastCredit),
		calculatedAtMs: nowMs,
		perDay,
		returnsAtMs: usage.monthReturnsAt,
		cost: averageCost,
		triggers,
	};
}
