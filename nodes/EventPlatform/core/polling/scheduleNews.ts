import { linksOfSession } from '../calendar/sessionEntry';
import { scheduleTypes, type ListedEvent, type ScheduleFact } from '../events/eventTypes';
import { sessionFactsOf } from '../events/sessionFacts';
import type { DeliveredRecord } from '../records/record';
import { largestOf } from '../values/collections';
import type { JsonObject } from '../values/json';
import { daySeconds, type Search } from './cursor';
import { findDueStarts, startKey, type DueStart } from './dueStarts';
import type { LeadTime } from './leadTime';
import { compareHappened } from './round';
import { planOf, withoutPast, type PlannedSession, type Schedule } from './schedule';
import { changesBetween } from './sessionChanges';

export interface ReadSessions {
	/** The sessions by their ids. Undefined: the session is gone, or the filters leave it out. */
	sessions: Map<string, DeliveredRecord | undefined>;
	/** The ids of sessions that could not be read alone. */
	unreadIds: Set<string>;
	/** When all of them were listed, and in how many pages. Absent: they were not. */
	list?: Pick<Schedule, 'listedAt' | 'pages'>;
}

export interface ScheduleNews {
	/** The starts that are due and the changes, the oldest first. */
	news: ListedEvent[];
	/** The schedule to store when the news have started their run. */
	next: Schedule;
}

/**
 * Compares the sessions that were read with the schedule, takes the oldest news, at most `mostEvents`, and moves the schedule past
 * them. Only a start whose session was read in this poll is told.
 */
export function findScheduleNews(
	schedule: Schedule,
	read: ReadSessions,
	search: Search,
	nowSeconds: number,
	mostEvents: number,
): ScheduleNews {
	const { plans, changes } = findChanges(schedule, read, search, nowSeconds);
	const allNews = [...changes];
	const current = { ...schedule, ...read.list, sessions: plans };
	for (const start of findDueStarts(current, leadsOf(search), nowSeconds)) {
		const { sessionId } = start;
		const session = read.sessions.get(sessionId);
		const event = session && startEvent(search, session, start, nowSeconds);
		if (event) allNews.push({ event, start, sessionId });
	}
	allNews.sort((first, second) => compareHappened(first.event, second.event));
	const next = movePast(current, allNews.slice(0, mostEvents), allNews.slice(mostEvents));
	return {
		news: allNews.slice(0, mostEvents).map(({ event }) => event),
		next: withoutPast(next, nowSeconds),
	};
}

/** Finds what has changed, and what is remembered of the sessions from now on. */
function findChanges(
	schedule: Schedule,
	{ sessions, unreadIds, list }: ReadSessions,
	search: Search,
	nowSeconds: number,
): { plans: Schedule['sessions']; changes: ScheduleEvent[] } {
	const plans = list ? withoutUndated(schedule.sessions) : { ...schedule.sessions };
	for (const id of unreadIds) {
		const plan = plans[id];
		if (plan) plans[id] = { ...plan, triedAt: nowSeconds };
	}
	const changes: ScheduleEvent[] = [];
	for (const [id, session] of sessions) {
		const before = schedule.sessions[id];
		const after = session && planOf(session, tells('change', search), before);
		if (after && isRemembered(after, search, nowSeconds))
			plans[id] = { ...after, readAt: nowSeconds };
		else delete plans[id];
		if (!before || !after || changesBetween(before, after).length === 0) continue;
		const event = changeEvent(search, session, { before, after }, nowSeconds);
		if (event) changes.push({ event, changedFrom: before, sessionId: id });
	}
	return { plans, changes };
}

/** An event, and what is to be remembered when it is told or left over. */
interface ScheduleEvent {
	event: ListedEvent;
	sessionId: string;
	/** Absent: it is a change. */
	start?: DueStart;
	/** The session before the change. Absent: it is a start. */
	changedFrom?: PlannedSession;
}

/** Remembers the starts that are told, and of a change that is left over how the session was, so that the next list shows it again. */
function movePast(schedule: Schedule, told: ScheduleEvent[], leftOver: ScheduleEvent[]): Schedule {
	const next = { ...schedule, sessions: { ...schedule.sessions }, told: { ...schedule.told } };
	for (const { start } of told) if (start) next.told[startKey(start)] = start.startsAt;
	for (const { sessionId, changedFrom } of leftOver)
		if (changedFrom) next.sessions[sessionId] = changedFrom;
	return next;
}

/** A session without a date is remembered as long as the list shows it. */
function withoutUndated(sessions: Schedule['sessions']): Schedule['sessions'] {
	return Object.fromEntries(
		Object.entries(sessions).filter(([, { startsAt }]) => startsAt !== undefined),
	);
}

/** A platform may list other sessions than those that were asked for. */
function isRemembered({ startsAt }: PlannedSession, search: Search, nowSeconds: number): boolean {
	if (startsAt === undefined) return tells('change', search);
	return startsAt > nowSeconds && startsAt <= horizonOf(search, nowSeconds);
}

/** The horizon is a day beyond the longest lead time, because the next list may be late. Changes are told of whatever session. */
export function horizonOf(search: Search, nowSeconds: number): number {
	if (tells('change', search)) return Infinity;
	const longest = largestOf(leadsOf(search).map(({ minutes }) => minutes));
	return nowSeconds + longest * 60 + daySeconds;
}

export function tells(fact: ScheduleFact, search: Search): boolean {
	return chosenTypeOf(fact, search) !== undefined;
}

function chosenTypeOf(fact: ScheduleFact, { eventTypes }: Search): string | undefined {
	return scheduleTypes(eventTypes, fact)[0];
}

export function leadsOf(search: Search): readonly LeadTime[] {
	return tells('start', search) ? (search.leadTimes ?? []) : [];
}

export function startEvent(
	search: Search,
	session: DeliveredRecord,
	{ startsAt, lead, dueAt }: DueStart,
	nowSeconds: number,
): ListedEvent | undefined {
	return eventOf(chosenTypeOf('start', search), session, dueAt, {
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
	nowSeconds: number,
): ListedEvent | undefined {
	return eventOf(chosenTypeOf('change', search), session, nowSeconds, {
		starts_at: after.startsAt ?? null,
		changes: changesBetween(before, after).join(', '),
		previous_starts_at: before.startsAt ?? null,
		previous_name: before.name ?? null,
	});
}

function eventOf(
	eventType: string | undefined,
	session: DeliveredRecord,
	happenedAtSeconds: number,
	facts: JsonObject,
): ListedEvent | undefined {
	if (eventType === undefined) return undefined;
	const attributes = { ...session.attributes, ...facts };
	const sessionFacts = sessionFactsOf(attributes);
	const record = { ...session, attributes };
	return { eventType, record, happenedAtSeconds, sessionFacts, isUntimed: false };
}
