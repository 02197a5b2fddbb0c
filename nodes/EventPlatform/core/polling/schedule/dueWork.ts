/* What a poll asks for of the schedule: when the sessions are listed, and whose reminder is due. */
import { largestPage } from '../../client/pages';
import { scheduleTypes } from '../../events/eventTypes';
import type { Reading } from '../../failures/readings';
import { smallestOf } from '../../values/collections';
import type { Ms, Seconds } from '../../values/units';
import { findDueReminders } from './reminders';
import { beginSchedule, isWaiting, mostSecondsBetweenLists, type Schedule } from './schedule';
import { leadsOf, type Search } from '../pollSettings';
import { findListToCome, isNewTo, noteSpan, type KnownSessions } from './sessionsToCome';
import { firstTurnAtMs } from '../firstTurn';

/**
 * In 30 days a list each quarter of an hour costs 2,880 requests, and one each ten minutes would cost 4,320. Of the 10,000 of the smallest plan
 * polling may cost 3,333 (`allowance.ts`).
 */
const leastSecondsBetweenLists = 900;

/**
 * n8n loads this code when it first needs one of the nodes: at its start, where a trigger is published. All triggers of a token share the list, so its
 * turns count from here, and not from the first call of one trigger. When the process starts, its clock is that of the machine (`n8n/clock.ts`).
 */
const processStartedAtMs = Date.now();

/** What a poll asks for: the list of the sessions to come, or the sessions whose reminder is due, which it lists where that costs less. */
export type ScheduleStep = 'list' | 'reminders';

/** The facts that decide what there is to ask for. */
export interface DueSchedule {
	stored?: Schedule;
	search: Search;
	token: string;
	/** How far our clock is ahead of the platform's. */
	aheadSeconds: Seconds;
}

/** What there is to ask for, as it is found before anything is asked. */
export interface DueWork {
	/** The schedule by which it is due. */
	schedule: Schedule;
	/** The sessions whose reminder is due. */
	dueIds: ReadonlySet<string>;
}

/** Says how far ahead the trigger looks, and finds what there is to ask for. `steps`: each is reason enough to poll, the most important one first. */
export function planDueWork(due: DueSchedule, nowMs: Ms): DueWork & { steps: ScheduleStep[] } {
	const { stored, search, token, aheadSeconds } = due;
	const nowSeconds = Math.floor(nowMs / 1_000) - aheadSeconds;
	const schedule = beginSchedule(stored, search, nowSeconds);
	if (scheduleTypes(search.eventTypes).length === 0)
		return { steps: [], schedule, dueIds: new Set() };
	noteSpan(token, search, nowMs);
	const known = findListToCome(token, search);
	const steps: ScheduleStep[] = [];
	if (isListDue(schedule, due, known, nowMs)) steps.push('list');
	// One that could not be taken, because an event could not be read, waits like whatever has failed. One that another trigger has read since does not.
	const isTried = known && schedule.trouble && known.result.listedAt <= schedule.trouble.triedAt;
	const hasToWait = isTried && isWaiting(schedule, nowSeconds);
	const hasNewList = known && !hasToWait && isNewTo(schedule, known.result, nowSeconds);
	const reminders = findDueReminders(schedule, leadsOf(search), nowSeconds);
	if (hasNewList || reminders.length > 0) steps.push('reminders');
	return { steps, schedule, dueIds: new Set(reminders.map(({ sessionId }) => sessionId)) };
}

/**
 * After a failure the list waits (isWaiting); an activation has forgotten it (beginSchedule). A list that this process knows counts from
 * when any trigger of the token read it, by our clock, which never goes back while the process lives. Without one, and at an activation, the
 * list has its turn by the clock: now, where the schedule was listed long ago or, as at an activation, counts as never listed.
 */
function isListDue(
	schedule: Schedule,
	{ search, aheadSeconds }: DueSchedule,
	known: Reading<KnownSessions> | undefined,
	nowMs: Ms,
): boolean {
	const nowSeconds = Math.floor(nowMs / 1_000) - aheadSeconds;
	if (isWaiting(schedule, nowSeconds)) return false;
	const everyMs = secondsBetweenLists(search) * 1_000;
	if (known && !search.isActivated) return nowMs >= known.atMs + everyMs;
	const sinceLastMs = (nowSeconds - schedule.listedAt) * 1_000;
	const turns = { everyMs, startedAtMs: processStartedAtMs };
	return firstTurnAtMs({ ...turns, sinceLastMs, nowMs }) <= nowMs;
}

/**
 * So often the sessions are listed. One that is moved into its lead time is told late, by the next list, or not at all where that comes after
 * its start. One that was created within its lead time is never told with it (findDueReminders).
 */
function secondsBetweenLists(search: Search): Seconds {
	const shortest = smallestOf(leadsOf(search).map(({ minutes }) => minutes * 60));
	return Math.min(mostSecondsBetweenLists, Math.max(leastSecondsBetweenLists, shortest));
}

/** The cost of the next list of the sessions to come, in requests: that of the last one, or before it as many pages as the plans fill. */
export function listCost({ stored, token, search }: DueSchedule): number {
	const last = findListToCome(token, search)?.result;
	const planned = Object.keys(stored?.plans ?? {}).length;
	return last?.requests ?? Math.max(1, Math.ceil(planned / largestPage));
}
