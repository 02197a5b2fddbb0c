/*
 * What polling may cost: a third of the month's requests, evenly over its days. Each poll owes what it has cost, the debt melts at
 * the rate of the trigger, and the next poll is due when nothing is owed. So nothing can be saved up, or spent twice. Only a new
 * trigger has something to begin with.
 *
 * All times are milliseconds since 1970 by our clock.
 */
import { createHash } from 'node:crypto';
import type { Usage } from '../client/usage';
import { ProcessMap } from '../values/processState';
import { count, milliseconds, numberFrom, type Stored } from '../values/storedShape';
import { dayMs } from '../values/units';
import type { ScheduleStep } from './pollSchedule';

/** What is stored of a trigger, whenever n8n stores anything. After a poll without news it stores nothing. */
export const allowanceShape = {
	/** The requests that were owed after a poll. Below 0: a new trigger has so many left that it may spend at once. */
	owed: numberFrom(-1e9, 1e9),
	/** When that poll took place. */
	atMs: milliseconds,
	/** The usual cost of a poll, in requests. */
	cost: count,
	/** When a poll last took place that was the first since a start of n8n. */
	startPollAtMs: milliseconds,
};

export type StoredAllowance = Stored<typeof allowanceShape>;

/** A trigger that polls. */
export interface Poller {
	/** The id of one trigger of one workflow. */
	id: string;
	/** The key of the token that it polls with. All triggers with one token divide its third. */
	token: string;
	/** The number of requests that a poll costs when it finds nothing new. */
	leastCost: number;
}

/** The month as the platform's responses tell it. */
export type MonthlyUsage = Partial<
	Pick<Usage, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'>
>;

export interface PollCost {
	requests: number;
	usage: MonthlyUsage;
	/** The number of requests that this process has ever sent with the token, polls included. */
	sentByProcess: number;
}

/** The facts about a poll that decide when it is due. */
export interface DuePoll {
	stored?: StoredAllowance;
	/** A trigger that somebody has just activated polls at once. */
	isActivated: boolean;
	hasMore: boolean;
}

interface PollingTrigger extends StoredAllowance {
	token: string;
	/** When n8n last called it, whether or not a poll was due. Those that were called within a day divide the third of their token. */
	calledAtMs: number;
	/** The wait for its first poll in this process, or since another process has polled. Absent: it has polled since. */
	start?: {
		atMs: number;
		/**
		 * As much again is owed where it polls before its turn, for the poll before the start may not have been paid. Without
		 * that, twenty triggers that are restarted each night spend 3,653 requests (test/long/pollingMonth).
		 */
		isBeforeTurn: boolean;
	};
}

/** Responses overtake each other, seldom by so many. Where more requests than this have come back, a new month has begun. */
const mostOvertaken = 20;

/** The platform's smallest plan has so many requests in 30 days. It is assumed where the responses do not say. */
const usualMonth = 10_000;
/** A part for each day, and one for what new triggers and starts of n8n cost. */
const partsOfMonth = 31;
/** However little is left, a trigger may spend so many requests a day, which finds out when the month returns. */
const leastPerDay = 4;
/** After a poll that could not take everything, the rate of so many days may be owed, so that a week's events arrive in a day. */
const mostDaysOwed = 7;
/** Where the last start of n8n is so long ago, a trigger polls at the start: people who start n8n in the morning see their news. */
const longAgoMs = dayMs / 2;
/** A turn that began so shortly before the start is taken. n8n needs longer to start, so that a process that crashes again and again takes it once. */
const turnOpenMs = 15_000;
/**
 * A trigger pays for the requests of other processes with at most this part of what has melted since its last poll, so that it keeps a
 * quarter of its rate, however much they spend. Without it two n8n with one token spend 5,846 requests a month on polling, and four 9,959 (test/long/pollingMonth).
 */
const mostForOthers = 3 / 4;
/** A new trigger may spend the rate of so many days at once. Without it, who activates a trigger to try it waits for 14 minutes. */
const daysOfNew = 1 / 2;

/** Owns what one process knows of the requests that polling spends. */
export class Allowance {
	private readonly triggers = new ProcessMap<PollingTrigger>('pollingTriggers');
	/** The cost of the last poll with each token. */
	private readonly lastCosts = new ProcessMap<PollCost>('pollCosts');

	/**
	 * A time that is not later than `nowMs` means now. The trigger counts as one of those that divide the third from here on, and a new one
	 * gets what it may spend at once.
	 */
	dueAtMs(poller: Poller, { stored, isActivated, hasMore }: DuePoll, nowMs: number): number {
		const trigger = this.triggerOf(poller, stored, nowMs);
		const { start } = trigger;
		const perMs = this.ratePerMs(poller.token, nowMs);
		// The first trigger of a token has spent what a new one may for the others.
		const isAlone = this.countTriggers(poller.token, nowMs) === 1;
		if (isActivated && stored === undefined && isAlone && start)
			trigger.owed = -daysOfNew * dayMs * perMs;
		if (isActivated) return nowMs;
		const mayOwe = hasMore && !start ? mostDaysOwed * dayMs * perMs : 0;
		const meltedAtMs = nowMs + Math.max(0, owedNow(trigger, perMs, nowMs) - mayOwe) / perMs;
		// Where the rate has fallen since, because little is left of the month, nobody waits longer all the same.
		const paidAtMs = Math.min(meltedAtMs, trigger.atMs + mostDaysOwed * dayMs);
		if (!start) return paidAtMs;
		const turnAtMs = firstTurnAtMs(poller, trigger.cost, start.atMs, perMs, nowMs);
		const isLongAgo = stored !== undefined && nowMs - stored.startPollAtMs >= longAgoMs;
		start.isBeforeTurn = isLongAgo && turnAtMs > nowMs;
		return isLongAgo ? paidAtMs : Math.max(paidAtMs, turnAtMs);
	}

	/** The list may be read when nothing is owed, and starts that are due as long as a week can pay for them. */
	maySpend(poller: Poller, step: ScheduleStep, nowMs: number): boolean {
		const trigger = this.triggers.get(poller.id);
		const perMs = this.ratePerMs(poller.token, nowMs);
		const mayOwe = step === 'starts' ? mostDaysOwed * dayMs * perMs : 0;
		return trigger === undefined || owedNow(trigger, perMs, nowMs) <= mayOwe;
	}

	/** Adds the cost of a poll that has read the schedule alone. Its trigger still waits for the turn of its lists. */
	addSchedulePoll(poller: Poller, pollCost: PollCost, nowMs: number): StoredAllowance {
		const trigger = this.triggerOf(poller, undefined, nowMs);
		const owed = this.owedAfter(trigger, pollCost, nowMs);
		const { cost, startPollAtMs } = trigger;
		const next: StoredAllowance = { owed, atMs: nowMs, cost, startPollAtMs };
		this.triggers.set(poller.id, { ...trigger, ...next });
		return next;
	}

	/** Adds the cost of a poll that has read the lists, and gives what is to be stored. */
	addPoll(poller: Poller, pollCost: PollCost, nowMs: number): StoredAllowance {
		const { start, ...trigger } = this.triggerOf(poller, undefined, nowMs);
		const { requests } = pollCost;
		const owed = this.owedAfter({ ...trigger, start }, pollCost, nowMs);
		const next: StoredAllowance = {
			owed: owed + (start?.isBeforeTurn ? requests : 0),
			atMs: nowMs,
			cost: trigger.cost > 0 ? usualCostAfter(trigger.cost, requests) : requests,
			startPollAtMs: start ? nowMs : trigger.startPollAtMs,
		};
		this.triggers.set(poller.id, { ...trigger, ...next });
		return next;
	}

	/** What is owed after a poll, with what other processes have sent since the last one. */
	private owedAfter(trigger: PollingTrigger, pollCost: PollCost, nowMs: number): number {
		const { token, start, atMs } = trigger;
		const ofOthers = requestsOfOthers(this.lastCosts.get(token), pollCost);
		this.lastCosts.set(token, pollCost);
		const perMs = this.ratePerMs(token, nowMs);
		// After a start nobody knows since when the others have sent.
		const melted = start ? 0 : (nowMs - atMs) * perMs;
		const forOthers = Math.min(ofOthers, melted * mostForOthers);
		return owedNow(trigger, perMs, nowMs) + pollCost.requests + forOthers;
	}

	/** The first poll is the first one since the start of the process. */
	isFirstPoll({ id }: Poller): boolean {
		const trigger = this.triggers.get(id);
		return trigger === undefined || trigger.start !== undefined;
	}

	/** What another process has stored later replaces what this one remembers. */
	private triggerOf(
		{ id, token }: Poller,
		stored: StoredAllowance | undefined,
		nowMs: number,
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
			start: { atMs: nowMs, isBeforeTurn: false },
		};
		const latest = isKnown ? remembered : begun;
		const trigger: PollingTrigger = { ...latest, token, calledAtMs: nowMs };
		trigger.atMs = Math.min(trigger.atMs, nowMs);
		this.triggers.set(id, trigger);
		return trigger;
	}

	/** The rate is in requests, for each trigger of the token. */
	private ratePerMs(token: string, nowMs: number): number {
		const perDay = thirdPerDay(this.lastCosts.get(token)?.usage ?? {}, nowMs);
		return Math.max(leastPerDay, perDay / this.countTriggers(token, nowMs)) / dayMs;
	}

	private countTriggers(token: string, nowMs: number): number {
		const counts = (trigger: PollingTrigger) =>
			trigger.token === token && nowMs - trigger.calledAtMs <= dayMs;
		return this.triggers.values().filter(counts).length;
	}
}

/** The third is of an even month, or of what is left until the month returns if that is less, as requests in a day. */
function thirdPerDay(usage: MonthlyUsage, nowMs: number): number {
	const { monthlyLimit: limit = usualMonth, monthReturnsAt: returnsAtMs = nowMs } = usage;
	const hasReturned = usage.monthReturnsAt !== undefined && returnsAtMs <= nowMs;
	const remaining = hasReturned ? limit : (usage.monthlyRemaining ?? limit);
	const daysLeft = Math.max(1, (returnsAtMs - nowMs) / dayMs);
	return Math.min(limit / partsOfMonth, remaining / daysLeft) / 3;
}

/**
 * After a start, a turn is as long as the rate takes to pay the usual cost: with the cost of the last poll alone, restarts each
 * hour spend 3,879 requests a month, and a third is 3,333 (test/long/pollingMonth).
 */
function usualCostAfter(usualCost: number, requests: number): number {
	return (3 * usualCost + requests) / 4;
}

function owedNow({ owed, atMs }: StoredAllowance, perMs: number, nowMs: number): number {
	return owed <= 0 ? owed : Math.max(0, owed - (nowMs - atMs) * perMs);
}

/**
 * Each trigger has its turns by the clock, as often as its rate pays for a poll, at the same times in every process and after
 * every start.
 */
function firstTurnAtMs(
	{ id, leastCost }: Poller,
	usualCost: number,
	startedAtMs: number,
	perMs: number,
	nowMs: number,
): number {
	// Rounded up to whole requests, so that the turns keep their times although the usual cost varies a little.
	const turnMs = Math.ceil(Math.max(1, leastCost, usualCost)) / perMs;
	const sinceTurnMs = (nowMs + hashOf(id) * turnMs) % turnMs;
	const isInTurn = sinceTurnMs <= Math.max(turnOpenMs, nowMs - startedAtMs);
	return isInTurn ? nowMs : nowMs - sinceTurnMs + turnMs;
}

/** Different ids give different numbers from 0 to 1, so that several triggers do not poll at the same moment. */
function hashOf(id: string): number {
	return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}

/** Counts the requests that others have sent with the token between two polls, as far as the responses tell how many are left. */
function requestsOfOthers(before: PollCost | undefined, after: PollCost): number {
	const remainingBefore = before?.usage.monthlyRemaining ?? NaN;
	const spent = remainingBefore - (after.usage.monthlyRemaining ?? NaN);
	// Where more has come back than responses that overtake each other can explain, a new month has begun.
	if (before === undefined || !(spent >= -mostOvertaken)) return 0;
	return Math.max(0, spent - (after.sentByProcess - before.sentByProcess));
}
