/*
 * What polling may cost: a third of the month's requests, evenly over its days. Each poll owes what it has cost, the debt melts at
 * the rate of the trigger, and the next poll is due when nothing is owed. So nothing can be saved up, or spent twice. Only a new
 * trigger has something to begin with.
 *
 * A start of n8n is different, because the process does not know what was spent since n8n last stored anything: until its first poll a
 * trigger waits for its turn by the clock (`firstTurn.ts`), and that poll counts twice (`addPoll`). The turn is for a process that crashes again
 * and again, so that not each start polls; counting twice is for starts that are far apart, each after a poll that nobody has paid.
 */
import type { MonthlyQuota } from '../client/quota';
import { ProcessMap } from '../values/processState';
import { ageOf } from '../values/recentTimes';
import { count, milliseconds, numberFrom, type Stored } from '../values/storedShape';
import { dayMs, type Ms } from '../values/units';
import { firstTurnAtMs } from './firstTurn';

/** What is stored of a trigger, whenever n8n stores anything. After a poll without news it stores nothing. */
export const allowanceShape = {
	/**
	 * The requests that were owed after a poll. Below 0: a new trigger has so many left that it may spend at once. The bounds only keep out
	 * what is no such number.
	 */
	owed: numberFrom(-1e9, 1e9),
	/** When that poll took place. */
	atMs: milliseconds,
	/** The cost of the last poll, in requests. */
	cost: count,
	/** When the first poll since a start of n8n last took place. Twelve hours later a start is no crash loop (firstTurn.ts). 0: it never did. */
	startPollAtMs: milliseconds,
};

export type StoredAllowance = Stored<typeof allowanceShape>;

/** A trigger that polls. */
export interface Poller {
	/** The id of one trigger of one workflow. */
	id: string;
	/** The key of the token that it polls with. All triggers with one token divide its third. */
	token: string;
	/** The number of requests that its lists cost in a poll at least (`leastCostOf`). 0: it reads none, or the schedule alone. */
	leastCost: number;
}

interface PollCost {
	requests: number;
	month: MonthlyQuota;
	/** It has read the schedule alone, because the lists of the trigger still wait. */
	haveListsWaited: boolean;
}

/** The facts about a poll that decide when it is due. */
export interface DuePoll {
	stored?: StoredAllowance;
	/** Somebody has just activated the trigger, or it is new. */
	isAtOnce: boolean;
	hasMore: boolean;
}

/** The list of the sessions to come, as it was last read. */
export interface OldList {
	ageMs: Ms;
	/** In requests. */
	cost: number;
}

interface PollingTrigger extends StoredAllowance {
	token: string;
	/** When n8n last called it, whether or not a poll was due. Those that were called within a day, due or not, divide the third of their token. */
	calledAtMs: Ms;
	/** Since when it waits for its first poll in this process. Absent: it has polled. */
	waitsSinceAtMs?: Ms;
}

/** The platform's smallest plan has so many requests in 30 days. It is assumed where the responses do not say. */
const usualMonth = 10_000;
/** A part for each day, and one for what new triggers and starts of n8n cost. */
const partsOfMonth = 31;
/**
 * So many requests a day may be spent however little is left. Each trigger may spend them, so that it finds out when the month returns
 * (`ratePerMs`). All triggers of a token together may spend them on the pages after the first of the list of the sessions to come
 * (`paysForList`), so that no reminder is lost: the list looks a day further ahead than the longest lead time, and a lone trigger reads two
 * pages twice a day.
 */
const leastPerDay = 4;
/** After a poll that could not take everything, the rate of so many days may be owed, so that a week's events arrive in a day. */
const mostDaysOwed = 7;
/** A new trigger may spend the rate of so many days at once. Without it, who activates a trigger to try it waits for 27 minutes. */
const daysOfNew = 1 / 2;

export function hasLists({ leastCost }: Poller): boolean {
	return leastCost > 0;
}

/** Owns what one process knows of the requests that polling spends. */
export class Allowance {
	private readonly triggers = new ProcessMap<PollingTrigger>('pollingTriggers');
	/** The month as the last poll with each token has shown it. */
	private readonly months = new ProcessMap<MonthlyQuota>('monthsOfPolling');

	/** Notes that n8n has called a trigger, which divides the third from here on. A new one gets what it may spend at once. */
	noteCall(poller: Poller, { stored, isAtOnce }: DuePoll, nowMs: Ms): void {
		const trigger = this.latestOf(poller, stored, nowMs);
		this.triggers.set(poller.id, trigger);
		// The first trigger of a token has spent what a new one may for the others.
		const isAlone = this.countTriggers(poller.token, nowMs) === 1;
		if (isAtOnce && stored === undefined && isAlone && trigger.waitsSinceAtMs !== undefined)
			trigger.owed = leftToNew(this.ratePerMs(poller.token, nowMs));
	}

	/** When a poll of a trigger that was called is due. A time that is not later than `nowMs` means now. */
	dueAtMs(poller: Poller, { stored, isAtOnce, hasMore }: DuePoll, nowMs: Ms): Ms {
		if (isAtOnce) return nowMs;
		const trigger = this.latestOf(poller, stored, nowMs);
		const { waitsSinceAtMs } = trigger;
		const perMs = this.ratePerMs(poller.token, nowMs);
		const mayOwe = hasMore && waitsSinceAtMs === undefined ? mostDaysOwed * dayMs * perMs : 0;
		const paidAtMs = nowMs + Math.max(0, owedNow(trigger, perMs, nowMs) - mayOwe) / perMs;
		if (waitsSinceAtMs === undefined) return paidAtMs;
		// Its turns come as often as its rate pays for a poll.
		const everyMs = Math.max(1, poller.leastCost, trigger.cost) / perMs;
		// What has run for twelve hours may poll at once when it starts again, however lately it polled. A process that crashes again and again starts more often.
		const sinceLastMs = stored && nowMs - stored.startPollAtMs;
		const turns = { everyMs, startedAtMs: waitsSinceAtMs, sinceLastMs, nowMs };
		return Math.max(paidAtMs, firstTurnAtMs(turns));
	}

	/**
	 * Tells whether the list of the sessions to come may be read before the lists of the poll are due: where little is owed, once no more is
	 * owed than has melted since the last one; else once twice its cost has melted, so that it takes half of what the trigger may spend, and the
	 * debt falls. Otherwise the starts of busy days would keep it out, and what was planned meanwhile would never be told.
	 *
	 * An example: of a month of 10,000 requests a lone trigger may spend 4.5 an hour. Its list has 2 pages. After a quarter of an hour 1.1 have
	 * melted, and it is read where no more is owed. Who owes 40 reads it after 54 minutes, when 4 have melted, and then owes 2 less than after the
	 * last one.
	 */
	paysForList(poller: Poller, { ageMs, cost }: OldList, nowMs: Ms): boolean {
		// The token: its triggers share the list, so it may cost no more than the third of the token pays for. Each of many triggers has more than its
		// part of the third (`leastPerDay`). The first page is free, because it costs at most a request in a quarter of an hour.
		const perDayOfToken = thirdPerDay(this.months.get(poller.token) ?? {}, nowMs);
		const meltedOfToken = (ageMs * Math.max(leastPerDay, perDayOfToken)) / dayMs;
		if (meltedOfToken < cost - 1) return false;
		// The trigger.
		const melted = ageMs * this.ratePerMs(poller.token, nowMs);
		return melted >= 2 * cost || this.owes(poller, nowMs) <= melted;
	}

	private owes({ id, token }: Poller, nowMs: Ms): number {
		const trigger = this.triggers.get(id);
		return trigger ? owedNow(trigger, this.ratePerMs(token, nowMs), nowMs) : 0;
	}

	/**
	 * Adds the cost of a poll, and gives what is to be stored. The first one of a process counts twice, because the poll before the start may
	 * not have been paid: in a simulated month, twenty triggers that are restarted each night would spend 3,653 requests. Where the lists have waited,
	 * they keep their turn and their usual cost.
	 */
	addPoll(
		poller: Poller,
		{ requests, month, haveListsWaited }: PollCost,
		nowMs: Ms,
	): StoredAllowance {
		const { waitsSinceAtMs, ...trigger } = this.latestOf(poller, undefined, nowMs);
		this.months.set(poller.token, month);
		const isFirst = waitsSinceAtMs !== undefined && !haveListsWaited;
		const owed =
			owedNow(trigger, this.ratePerMs(poller.token, nowMs), nowMs) + requests * (isFirst ? 2 : 1);
		const next: StoredAllowance = {
			owed,
			atMs: nowMs,
			cost: haveListsWaited ? trigger.cost : requests,
			startPollAtMs: isFirst ? nowMs : trigger.startPollAtMs,
		};
		const waiting = haveListsWaited && { waitsSinceAtMs };
		this.triggers.set(poller.id, { ...trigger, ...next, ...waiting });
		return next;
	}

	/** Tells whether a trigger has polled its lists since the start of the process. */
	hasPolled({ id }: Poller): boolean {
		const trigger = this.triggers.get(id);
		return trigger !== undefined && trigger.waitsSinceAtMs === undefined;
	}

	/** What another process has stored later replaces what this one remembers. */
	private latestOf(
		{ id, token }: Poller,
		stored: StoredAllowance | undefined,
		nowMs: Ms,
	): PollingTrigger {
		const remembered = this.triggers.get(id);
		// A clock that was ahead may have been set right.
		const usable = stored && stored.atMs <= nowMs ? stored : undefined;
		const isKnown =
			remembered !== undefined && (usable === undefined || usable.atMs <= remembered.atMs);
		const begun = {
			...(usable ?? { cost: 0, atMs: nowMs, startPollAtMs: 0 }),
			// What was left to a new trigger may have been spent since it was stored.
			owed: Math.max(0, usable?.owed ?? 0),
			waitsSinceAtMs: nowMs,
		};
		return { ...(isKnown ? remembered : begun), token, calledAtMs: nowMs };
	}

	/** The rate is in requests, for each trigger of the token. */
	private ratePerMs(token: string, nowMs: Ms): number {
		const perDay = thirdPerDay(this.months.get(token) ?? {}, nowMs);
		return Math.max(leastPerDay, perDay / this.countTriggers(token, nowMs)) / dayMs;
	}

	private countTriggers(token: string, nowMs: Ms): number {
		const counts = (trigger: PollingTrigger) =>
			trigger.token === token && ageOf(trigger.calledAtMs, nowMs) <= dayMs;
		return this.triggers.values().filter(counts).length;
	}
}

/** The third is of an even month, or of what is left until the month returns if that is less, as requests in a day. */
function thirdPerDay(month: MonthlyQuota, nowMs: Ms): number {
	const { monthlyLimit: limit = usualMonth, monthReturnsAt: returnsAtMs } = month;
	const hasReturned = returnsAtMs !== undefined && returnsAtMs <= nowMs;
	const remaining = hasReturned ? limit : (month.monthlyRemaining ?? limit);
	const daysLeft = Math.max(1, ((returnsAtMs ?? nowMs) - nowMs) / dayMs);
	return Math.min(limit / partsOfMonth, remaining / daysLeft) / 3;
}

function owedNow({ owed, atMs }: StoredAllowance, perMs: number, nowMs: Ms): number {
	// Below 0 it is what a new trigger has left. That was counted by the rate of a usual month, before a response had told of this one, and may be too much.
	if (owed <= 0) return Math.max(owed, leftToNew(perMs));
	return Math.max(0, owed - (nowMs - atMs) * perMs);
}

function leftToNew(perMs: number): number {
	return -daysOfNew * dayMs * perMs;
}
