import { plannedStart, parseSeconds } from '../dialect/time';
import { shortKey } from '../events/delivery';
import { scheduleTypes } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { isCanceled, isToStart } from '../sessions/phase';
import { endOfDatesMs } from '../values/dates';
import { text } from '../values/text';
import {
	anyText,
	count,
	mapOf,
	numberFrom,
	optional,
	seconds,
	shaped,
	word,
	type Stored,
} from '../values/storedShape';
import { beginningOf, beginsAnew, daySeconds, type Search } from './cursor';

/*
 * The schedule: the sessions to come as their list last showed them, and the starts that were told. The events of the clock come out
 * of it. All times are Unix seconds by the platform's clock.
 *
 * n8n stores it after a poll that tells something, and at the end of an activation. After a restart an older one is read: what was
 * told is in it, because it is stored with the run that told it. A session that was planned since is not, so that a change of it
 * between the last list and the restart is not told.
 */

/** A planned start may be years ahead. */
const plannedTime = numberFrom(0, endOfDatesMs / 1_000);

const plannedSession = {
	/** `other` is a draft, or a session that has begun. */
	state: word('planned', 'canceled', 'other'),
	/** Absent: it has no date. */
	startsAt: optional(plannedTime),
	/** The name by which a change of it is noticed. Absent: the platform shows none, or nobody wants to know. */
	name: optional(anyText),
	createdAt: optional(seconds),
	/** When it was last read, alone or in a list. */
	readAt: optional(seconds),
	/** When reading it alone failed. Absent: it did not, the last time. */
	triedAt: optional(seconds),
};

export type PlannedSession = Stored<typeof plannedSession>;

export const scheduleShape = {
	/** The search that the sessions were listed for. With another one the schedule begins anew. */
	searchKey: anyText,
	/** When it began: at the Start From, or at the activation or the last change of the search. What was due before is not told. */
	beganAt: seconds,
	/** The Start From that it began with. Absent: it began with the activation. */
	startFrom: optional(seconds),
	/** When all of them were listed. */
	listedAt: seconds,
	/** The number of pages of that list. */
	pages: count,
	/** How far our clock is ahead of the platform's. */
	clockAheadSeconds: numberFrom(-daySeconds, daySeconds),
	/** The sessions by their ids. They are forgotten when their start has passed. */
	sessions: mapOf(shaped(plannedSession)),
	/** The planned starts of what was told, by the keys of dueStarts.ts. They are forgotten a day after the start has passed. */
	told: mapOf(plannedTime),
};

export type Schedule = Stored<typeof scheduleShape>;

/** So a change is told within the hour, for about a fifth of what polling may cost: 720 requests in 30 days. */
const listedEverySeconds = 3_600;

/** The key changes when other sessions, or other facts about them, are remembered, or other starts are told. */
function scheduleKey({ eventTypes, filters, leadTimes = [] }: Search): string {
	const { sessionId, eventId, eventTitleContains } = filters;
	const minutes = leadTimes.map((lead) => lead.minutes).sort((first, second) => first - second);
	const types = scheduleTypes(eventTypes).sort();
	return shortKey([types, sessionId, eventId, eventTitleContains, minutes]);
}

/**
 * The schedule begins anew when the cursor does. With another search it begins at that moment, whatever the Start From, because another
 * lead time or filter shows starts that were due long ago. It remembers what was told, because each start is told once. An activation by
 * a person lists the sessions at once.
 */
export function beginSchedule(
	schedule: Schedule | undefined,
	search: Search,
	nowSeconds: number,
): Schedule {
	const { startFrom } = search;
	const searchKey = scheduleKey(search);
	const unlisted = { listedAt: 0, pages: 0 };
	const beganAt = beginningOf(search, nowSeconds);
	const begun = { searchKey, beganAt, startFrom, ...unlisted, sessions: {} };
	if (schedule === undefined) return { ...begun, clockAheadSeconds: 0, told: {} };
	if (beginsAnew(search, schedule.startFrom)) return { ...schedule, ...begun };
	if (schedule.searchKey !== searchKey)
		return { ...schedule, ...begun, beganAt: Math.max(nowSeconds, startFrom ?? 0) };
	return search.isNew ? { ...schedule, ...unlisted } : schedule;
}

/** A clock that was set back or forward makes the list due, too. */
export function isListDue({ listedAt }: Schedule, nowSeconds: number): boolean {
	return Math.abs(nowSeconds - listedAt) >= listedEverySeconds;
}

/**
 * Reads what the schedule remembers of a session. `hasNames`: whether a change of the name is told. `before`: what was remembered, which
 * goes on where a response leaves out the field.
 */
export function planOf(
	session: DeliveredRecord,
	hasNames: boolean,
	before?: PlannedSession,
): PlannedSession {
	const { attributes } = session;
	// Most sessions have no name of their own. People know them by the title of their event.
	const name = text(attributes.name).trim() || text(attributes.event_title).trim();
	const tellsStart = 'estimated_started_at' in attributes;
	const tellsState = stateFields.some((field) => field in attributes);
	return {
		state: before && !tellsState ? before.state : stateOf(session),
		startsAt: before && !tellsStart ? before.startsAt : plannedStart(attributes),
		name: hasNames && name !== '' ? name : before?.name,
		createdAt: parseSeconds(attributes.created_at) ?? before?.createdAt,
	};
}

const stateFields = ['status', 'started_at', 'ended_at', 'canceled_at'];

function stateOf(session: DeliveredRecord): PlannedSession['state'] {
	if (isToStart(session)) return 'planned';
	return isCanceled(session) ? 'canceled' : 'other';
}

/**
 * Forgets the sessions whose time has passed, and a day later the starts that were told, because the platform's time may be a day wrong
 * for once.
 */
export function withoutPast(schedule: Schedule, nowSeconds: number): Schedule {
	const sessions = Object.entries(schedule.sessions).filter(
		([, { startsAt }]) => startsAt === undefined || startsAt > nowSeconds,
	);
	const told = Object.entries(schedule.told).filter(
		([, startsAt]) => startsAt > nowSeconds - daySeconds,
	);
	return { ...schedule, sessions: Object.fromEntries(sessions), told: Object.fromEntries(told) };
}
