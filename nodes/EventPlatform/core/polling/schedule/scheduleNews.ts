/*
 * What the sessions that were read tell: reminders that are due, and changes. A pure function of the schedule, the sessions and the time.
 */
import { linksOfSession } from '../../calendar/sessionEntry';
import { scheduleTypes, type ListedEvent, type ScheduleKind } from '../../events/eventTypes';
import { sessionFactsOf } from '../../events/sessionFacts';
import type { DeliveredRecord } from '../../records/record';
import type { JsonObject } from '../../values/json';
import { mostEventsInRun } from '../lists/cursor';
import { leadsOf, spanOf, tells, type Search } from '../pollSettings';
import { compareHappened } from '../lists/isNews';
import {
	findDueReminders,
	lastOfEach,
	remindersOf,
	withRemindersTold,
	withRemindersToldOfMoved,
	type Reminder,
} from './reminders';
import {
	changesBetween,
	planOf,
	withoutPast,
	type PlannedSession,
	type Schedule,
} from './schedule';
import type { Seconds } from '../../values/units';

/** Sessions by id. Undefined: the platform does not know the session, or the filters leave it out. */
export type ReadSessions = Map<string, DeliveredRecord | undefined>;

/** What is told of a session: a reminder, or a change. */
interface SessionNews {
	event: ListedEvent;
	sessionId: string;
	/** What was known before a change. Absent: it is a reminder. */
	before?: PlannedSession;
}

/**
 * Compares the sessions that were read with the schedule, takes the oldest news, and moves the schedule past them. `next`: to be stored when
 * they have started their run.
 */
export function takeScheduleNews(
	schedule: Schedule,
	read: ReadSessions,
	listedAt: Seconds | undefined,
	search: Search,
	nowSeconds: Seconds,
): { news: ListedEvent[]; next: Schedule } {
	const { changes, ...moved } = movePlans(schedule, read, search, nowSeconds);
	const current = { ...schedule, ...moved, listedAt: listedAt ?? schedule.listedAt };
	const due = findDueReminders(current, leadsOf(search), nowSeconds);
	const news = [...changes, ...remindersOfRead(due, read, search, nowSeconds)];
	news.sort((first, second) => compareHappened(first.event, second.event));
	const taken = news.slice(0, mostEventsInRun);
	const remindedIds = new Set(taken.flatMap(({ before, sessionId }) => (before ? [] : sessionId)));
	const nowTold = due.filter(({ sessionId }) => remindedIds.has(sessionId));
	const plans = { ...current.plans };
	// The next list shows a change again that is left over.
	for (const { sessionId, before } of news.slice(mostEventsInRun))
		if (before) plans[sessionId] = before;
	const next = { ...current, plans, told: withRemindersTold(current.told, nowTold) };
	return { news: taken.map(({ event }) => event), next: withoutPast(next, nowSeconds) };
}

/** Moves what is remembered of the sessions to what was read, and tells how they differ. */
function movePlans(
	schedule: Schedule,
	read: ReadSessions,
	search: Search,
	nowSeconds: Seconds,
): Pick<Schedule, 'plans' | 'told'> & { changes: SessionNews[] } {
	const plans = { ...schedule.plans };
	let { told } = schedule;
	const changes: SessionNews[] = [];
	const untilAt = nowSeconds + spanOf(search);
	for (const [sessionId, session] of read) {
		const before = schedule.plans[sessionId];
		const after = session && planOf(session, tells('change', search), before);
		// The host of one that has not begun may be late, and still move or cancel it (withoutPast).
		const isToCome = after && (after.startsAt > nowSeconds || after.state !== 'other');
		if (isToCome && after.startsAt <= untilAt) plans[sessionId] = after;
		else delete plans[sessionId];
		if (!before || !after) continue;
		if (before.startsAt !== after.startsAt)
			told = withRemindersToldOfMoved(
				told,
				remindersOf(sessionId, after, leadsOf(search)),
				nowSeconds,
			);
		const hasChanged = changesBetween(before, after).length > 0;
		const event = hasChanged && changeEvent(search, session, { before, after }, nowSeconds);
		if (event) changes.push({ event, sessionId, before });
	}
	return { plans, told, changes };
}

/** The reminders that are told. A session that was not read may have been moved or canceled. */
function remindersOfRead(
	due: readonly Reminder[],
	read: ReadSessions,
	search: Search,
	nowSeconds: Seconds,
): SessionNews[] {
	return lastOfEach(due).flatMap((reminder) => {
		const { sessionId } = reminder;
		const session = read.get(sessionId);
		const event = session && reminderEvent(search, session, reminder, nowSeconds);
		return event ? [{ event, sessionId }] : [];
	});
}

export function reminderEvent(
	search: Search,
	session: DeliveredRecord,
	{ startsAt, lead, dueAt }: Reminder,
	nowSeconds: Seconds,
): ListedEvent | undefined {
	return eventOf('start', search, session, dueAt, {
		starts_at: startsAt,
		starts_in_minutes: Math.ceil((startsAt - nowSeconds) / 60),
		lead: lead.words,
		lead_minutes: lead.minutes,
		...linksOfSession(session.attributes),
	});
}

export function changeEvent(
	search: Search,
	session: DeliveredRecord,
	{ before, after }: Record<'before' | 'after', PlannedSession>,
	nowSeconds: Seconds,
): ListedEvent | undefined {
	return eventOf('change', search, session, nowSeconds, {
		starts_at: after.startsAt,
		changes: changesBetween(before, after).join(', '),
		previous_starts_at: before.startsAt,
		previous_name: before.name ?? null,
	});
}

function eventOf(
	kind: ScheduleKind,
	{ eventTypes }: Search,
	session: DeliveredRecord,
	happenedAtSeconds: Seconds,
	facts: JsonObject,
): ListedEvent | undefined {
	const [eventType] = scheduleTypes(eventTypes, kind);
	if (eventType === undefined) return undefined;
	const attributes = { ...session.attributes, ...facts };
	const record = { ...session, attributes };
	return {
		eventType,
		record,
		happenedAtSeconds,
		sessionFacts: sessionFactsOf(attributes),
		isUntimed: false,
	};
}
