/*
 * What is remembered of the sessions to come, when what failed is tried again, and what has changed. `dueWork.ts`: when the sessions are
 * listed; `reminders.ts`: when a reminder is due.
 *
 * A session that the platform does not know is forgotten. If it is there after all, the next list brings it back.
 *
 *   field       set by                                          until                                          what goes by it
 *   searchKey   a schedule that begins (beginSchedule)          another search begins one                      -
 *   beganAt     a schedule that begins                          the next one                                   reminders that were due before: not told
 *   startFrom   a schedule that begins                          another Start From                             -
 *   listedAt    a list that is news; 0: an activation           the next one                                   an older list is no news
 *   trouble     a poll that could not read something            nothing tried is left due (pollSchedule), an   the list and reminders (isWaiting)
 *                                                                 activation, or a schedule begins
 *   plans       each session that was read (movePlans)          it is gone, begun or left out by the filters   -
 *   told        each reminder that starts a run                 a list comes a day after its start             the same reminder, for good
 *
 * Another search moves `beganAt` to now, or to a Start From that is still to come, and leaves `startFrom`. A cursor has one field for both
 * (`startedAt`).
 */
import { parseSeconds, plannedStart } from '../../dialect/time';
import { scheduleTypes } from '../../events/eventTypes';
import type { DeliveredRecord } from '../../records/record';
import { isCanceled, isToStart } from '../../sessions/phase';
import { endOfDatesMs } from '../../values/dates';
import {
	anyText,
	mapOf,
	numberFrom,
	optional,
	seconds,
	shaped,
	word,
	type Stored,
} from '../../values/storedShape';
import { text } from '../../values/text';
import { beginningOf, beginsAnew, searchKey, type Search } from '../pollSettings';
import { isPaused, troubleShape } from '../backOff';
import { daySeconds, type Seconds } from '../../values/units';

/** A planned start may be years ahead. */
const plannedTime = numberFrom(0, endOfDatesMs / 1_000);

const plannedSession = {
	/** `other` is a draft, or a session that has begun. */
	state: word('planned', 'canceled', 'other'),
	startsAt: plannedTime,
	/** Absent: the platform shows none, or nobody wants to know of a change. */
	name: optional(anyText),
	createdAt: optional(seconds),
};

export type PlannedSession = Stored<typeof plannedSession>;

export const scheduleShape = {
	/** The search that the sessions were listed for. With another one the schedule begins anew. */
	searchKey: anyText,
	/** A reminder that was due before is not told. */
	beganAt: seconds,
	startFrom: optional(seconds),
	listedAt: seconds,
	/** A session whose reminder is due, or the list, could not be read. Absent: all could. */
	trouble: optional(shaped(troubleShape)),
	/** The sessions to come, by id. They are forgotten when lists show them no more after their start. */
	plans: mapOf(shaped(plannedSession)),
	/**
	 * The planned start that a reminder was last told of, for each session and lead time, by key. Once a list has come, it is forgotten a day
	 * after that start.
	 */
	told: mapOf(plannedTime),
};

export type Schedule = Stored<typeof scheduleShape>;

/** So a change is told within the hour, for about a fifth of what polling may cost: 720 requests in 30 days. */
export const mostSecondsBetweenLists = 3_600;
/**
 * A list shows the sessions whose planned start was within so long before, too: they may have been moved or canceled just before it, or since
 * then, where the host is late. It is twice the time between two lists, so that what happens within an hour after the start is shown by one.
 */
export const listedBehindSeconds = 2 * mostSecondsBetweenLists;

/** With another search it begins at that moment, or at a Start From that is still to come; what was told stays told. */
export function beginSchedule(
	stored: Schedule | undefined,
	search: Search,
	nowSeconds: Seconds,
): Schedule {
	const { startFrom, filters, leadTimes } = search;
	const key = searchKey({ eventTypes: scheduleTypes(search.eventTypes), filters }, leadTimes);
	const begun = {
		searchKey: key,
		beganAt: beginningOf(search, nowSeconds),
		startFrom,
		// As if never listed, so that the list is due at once (isListDue).
		listedAt: 0,
		trouble: undefined,
		plans: {},
	};
	if (stored === undefined) return { ...begun, told: {} };
	if (beginsAnew(search, stored.startFrom)) return { ...stored, ...begun };
	if (stored.searchKey !== key)
		return { ...stored, ...begun, beganAt: Math.max(nowSeconds, startFrom ?? 0) };
	// A person may have set right what failed.
	return search.isActivated ? { ...stored, listedAt: 0, trouble: undefined } : stored;
}

/** Whether what could not be read has to wait until it is tried again: for half of the time until the start at most, and the list for the usual time. */
export function isWaiting({ trouble }: Schedule, nowSeconds: Seconds, startsAt?: Seconds): boolean {
	const mostSeconds =
		startsAt === undefined || !trouble ? mostSecondsBetweenLists : (startsAt - trouble.triedAt) / 2;
	return isPaused(trouble, mostSeconds, nowSeconds);
}

/** Undefined where the session has no date. `hasNames`: whether a change of the name is told. */
export function planOf(
	session: DeliveredRecord,
	hasNames: boolean,
	before?: PlannedSession,
): PlannedSession | undefined {
	const { attributes } = session;
	const startsAt = plannedStart(attributes);
	if (startsAt === undefined) return undefined;
	// Most sessions have no name of their own. People know them by the title of their event, which may not come with each response.
	const name = text(attributes.name).trim() || text(attributes.event_title).trim();
	return {
		state: stateOf(session),
		startsAt,
		name: hasNames && name !== '' ? name : before?.name,
		createdAt: parseSeconds(attributes.created_at),
	};
}

function stateOf(session: DeliveredRecord): PlannedSession['state'] {
	if (isToStart(session)) return 'planned';
	return isCanceled(session) ? 'canceled' : 'other';
}

type ChangeKind = 'moved' | 'renamed' | 'canceled' | 'reopened';

/** A time zone alone moves nothing: the session starts at the same moment. */
export function changesBetween(before: PlannedSession, after: PlannedSession): ChangeKind[] {
	const [wasCanceled, isNowCanceled] = [before.state === 'canceled', after.state === 'canceled'];
	const hasBoth = before.name !== undefined && after.name !== undefined;
	const changes: Array<ChangeKind | false> = [
		before.startsAt !== after.startsAt && 'moved',
		hasBoth && before.name !== after.name && 'renamed',
		!wasCanceled && isNowCanceled && 'canceled',
		wasCanceled && !isNowCanceled && 'reopened',
	];
	return changes.filter((change) => change !== false);
}

export function withoutPast(schedule: Schedule, nowSeconds: Seconds): Schedule {
	const { plans, told, listedAt } = schedule;
	// Whether a session was moved just before its start is not known before the next list, which may come hours later. It also tells the time
	// where our clock was set ahead.
	const listedUntil = Math.min(nowSeconds, listedAt);
	const shownAt = listedUntil - listedBehindSeconds;
	const shown = Object.entries(plans).filter(([, { startsAt }]) => startsAt > shownAt);
	// Supposed: the `Date` of a response is up to a day wrong for once. Otherwise a reminder would be told twice.
	const lately = Object.entries(told).filter(([, startsAt]) => startsAt > listedUntil - daySeconds);
	return { ...schedule, plans: Object.fromEntries(shown), told: Object.fromEntries(lately) };
}
