/*
 * When a reminder is due, and what counts as told. Pure functions of the schedule and the time.
 */
import { shortened, shortKey } from '../../events/eventKey';
import { isWaiting, type PlannedSession, type Schedule } from './schedule';
import type { LeadTime } from './leadTime';
import type { Seconds } from '../../values/units';

/** That a session starts soon. It is told once for each session, lead time and planned start. */
export interface Reminder {
	sessionId: string;
	startsAt: Seconds;
	lead: LeadTime;
	dueAt: Seconds;
}

/**
 * Finds the reminders whose moment has come. One that is late stays due until the session starts. What was due before the trigger began,
 * or before the session existed, is not.
 */
export function findDueReminders(
	schedule: Schedule,
	leadTimes: readonly LeadTime[],
	nowSeconds: Seconds,
): Reminder[] {
	const { plans, told, beganAt } = schedule;
	return Object.entries(plans).flatMap(([id, plan]) => {
		const { state, startsAt, createdAt = beganAt } = plan;
		if (state !== 'planned' || startsAt <= nowSeconds || isWaiting(schedule, nowSeconds, startsAt))
			return [];
		return remindersOf(id, plan, leadTimes).filter(
			(reminder) =>
				reminder.dueAt <= nowSeconds &&
				reminder.dueAt >= Math.max(beganAt, createdAt) &&
				told[toldKeyOf(reminder)] !== startsAt,
		);
	});
}

/** The reminders of a session, whether or not they are due. It may be canceled: then they count if it is held after all. */
export function remindersOf(
	sessionId: string,
	{ startsAt }: Pick<PlannedSession, 'startsAt'>,
	leadTimes: readonly LeadTime[],
): Reminder[] {
	return leadTimes.map((lead) => ({
		sessionId,
		startsAt,
		lead,
		dueAt: startsAt - lead.minutes * 60,
	}));
}

/** Of several reminders of one session that are due, the last one is told. The others count as told: their moment has passed. */
export function lastOfEach(due: readonly Reminder[]): Reminder[] {
	const lasts = new Map<string, Reminder>();
	for (const reminder of due) {
		const before = lasts.get(reminder.sessionId);
		if (before === undefined || reminder.dueAt > before.dueAt)
			lasts.set(reminder.sessionId, reminder);
	}
	return [...lasts.values()];
}

/** Remembers reminders as told, each with the planned start that it was told of. */
export function withRemindersTold(
	told: Schedule['told'],
	reminders: readonly Reminder[],
): Schedule['told'] {
	const entries = reminders.map((reminder) => [toldKeyOf(reminder), reminder.startsAt] as const);
	return { ...told, ...Object.fromEntries(entries) };
}

/** Where a session was moved, what was told of any earlier start counts as told of the new one, if its new moment has passed as well. */
export function withRemindersToldOfMoved(
	told: Schedule['told'],
	reminders: readonly Reminder[],
	nowSeconds: Seconds,
): Schedule['told'] {
	const passed = reminders.filter(
		(reminder) => reminder.dueAt <= nowSeconds && told[toldKeyOf(reminder)] !== undefined,
	);
	return withRemindersTold(told, passed);
}

function toldKeyOf({ sessionId, lead }: Reminder): string {
	return shortened(shortKey([sessionId, lead.minutes]));
}
