/*
 * What a poll reads: of what is due, what the allowance pays for. The lists wait until nothing is owed, and the list of the sessions to come until it
 * is paid. A reminder that is due never waits for the allowance: it is told as long as any request of the month is left.
 */
import { listableTypes, scheduleTypes } from '../events/eventTypes';
import { ageOf } from '../values/recentTimes';
import type { Ms } from '../values/units';
import {
	hasLists,
	type Allowance,
	type OldList,
	type Poller,
	type StoredAllowance,
} from './allowance';
import type { Cursor } from './lists/cursor';
import { needsSessions } from './lists/sessionsInView';
import { namedJobs } from './lists/watchedLists';
import type { PollScope, Remembered } from './poll';
import type { Search } from './pollSettings';
import { listCost, planDueWork, type DueSchedule, type ScheduleStep } from './schedule/dueWork';
import type { Schedule } from './schedule/schedule';

/** A trigger that n8n calls to poll: who it is, and what is stored of it. */
export interface CalledTrigger {
	search: Search;
	poller: Poller;
	stored: Remembered & { allowance?: StoredAllowance };
	/** It has never polled. */
	isNew: boolean;
	/** People have chosen that it keeps to its allowance. */
	isLimited: boolean;
}

export interface PollWork extends Pick<PollScope, 'mayReadLists' | 'scheduleWork'> {
	/** The stored schedule, or the one that has begun in its place for another search. Absent: none is stored. */
	schedule?: Schedule;
	/** When the allowance pays for the lists. Absent: now, or there are none. */
	listsWaitUntilMs?: Ms;
}

/** Notes that n8n has called the trigger, and chooses what it reads now. */
export function choosePollWork(allowance: Allowance, trigger: CalledTrigger, nowMs: Ms): PollWork {
	const { search, poller, stored, isLimited } = trigger;
	const listsWaitUntilMs = waitOfLists(allowance, trigger, nowMs);
	const mayReadLists = hasLists(poller) && listsWaitUntilMs === undefined;
	const due = dueScheduleOf(trigger);
	const { steps, ...work } = planDueWork(due, nowMs);
	// The lists of this poll show the sessions to come, too.
	const showsToCome =
		mayReadLists && needsSessions(search.eventTypes) && scheduleTypes(search.eventTypes).length > 0;
	// The allowance keeps back no list of a trigger without a limit, of one that was just published, or beside lists that are read now.
	const isFree = !isLimited || search.isActivated === true || mayReadLists;
	const mayList = () => isFree || allowance.paysForList(poller, oldListOf(due, nowMs), nowMs);
	const mayRead = (each: ScheduleStep) => each === 'reminders' || mayList();
	const step = showsToCome ? 'list' : steps.find(mayRead);
	return {
		// A new one would begin by our clock. The poll begins it, by the platform's.
		schedule: stored.schedule && work.schedule,
		mayReadLists,
		listsWaitUntilMs,
		scheduleWork: step && { ...work, step },
	};
}

function waitOfLists(
	allowance: Allowance,
	{ search, poller, stored, isNew, isLimited }: CalledTrigger,
	nowMs: Ms,
): Ms | undefined {
	const duePoll = {
		stored: stored.allowance,
		isAtOnce: search.isActivated === true || isNew,
		hasMore: stored.cursor?.hasMore === true,
	};
	allowance.noteCall(poller, duePoll, nowMs);
	const dueAtMs = allowance.dueAtMs(poller, duePoll, nowMs);
	return hasLists(poller) && isLimited && dueAtMs > nowMs ? dueAtMs : undefined;
}

function dueScheduleOf({ search, poller, stored }: CalledTrigger): DueSchedule {
	const { schedule, clockAheadSeconds: aheadSeconds = 0 } = stored;
	return { stored: schedule, search, token: poller.token, aheadSeconds };
}

function oldListOf(due: DueSchedule, nowMs: Ms): OldList {
	const listedAtMs = ((due.stored?.listedAt ?? 0) + due.aheadSeconds) * 1_000;
	return { ageMs: ageOf(listedAtMs, nowMs), cost: listCost(due) };
}

/**
 * Counts what a poll asks for at least: a list of sessions, one of events, and each job that has not ended, also one that waits after a
 * failure. Lists that a session has, such as its questions, are left out.
 */
export function leastCostOf(search: Search, cursor: Cursor | undefined): number {
	const hasSessions = needsSessions(search.eventTypes);
	const hasEvents = listableTypes(search.eventTypes, 'events').length > 0;
	const jobs = namedJobs(search, cursor).filter(({ hasEnded }) => !hasEnded);
	return Number(hasSessions) + Number(hasEvents) + jobs.length;
}
