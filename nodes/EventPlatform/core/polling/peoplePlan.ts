import { eventTypeOf, listableTypes } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import {
	beginList,
	daySeconds,
	mostListedLateSeconds,
	viewOf,
	type DuePeople,
	type PeopleBookmark,
	type ReadPeople,
} from './cursor';
import { startedPeopleOf } from './peopleBookmark';
import type { Round } from './round';

/** The plan of a poll for the people of a session. */
export interface PeoplePlan {
	session: DeliveredRecord;
	/** `changed`: only people who have changed since the bookmark. `none`: the session shows nothing new of them. */
	reads: 'everybody' | 'changed' | 'none';
	/** Whether their session has ended since they were read. */
	isFirstAfterEnd: boolean;
	/** The bookmark before the poll. */
	bookmark: PeopleBookmark;
	/** The bookmark after it, without the events that start a run in it. */
	next: ReadPeople;
}

/** When one of these facts about a session changes, its people may have changed. */
const factsOfRegistrations = ['registrants_count', 'updated_at'];
const factsOfAttendance = ['attendees_count', 'started_at', 'ended_at'];
/** Attendance that is first read so long after the end has settled already. */
const settledAfterSeconds = 3_600;
/** In one poll, the people of at most so many sessions are read only because a day has passed. */
const mostDaily = 5;

/** Whether registrations and attendance matter to the event types in question. */
interface PeopleInterest {
	needsRegistrations: boolean;
	needsAttendance: boolean;
}

function interestOf({ search }: Round): PeopleInterest {
	const types = listableTypes(search.eventTypes, 'people').map(eventTypeOf);
	const isOfAttendance = types.map(({ attendance }) => attendance !== undefined);
	return {
		needsRegistrations: isOfAttendance.includes(false),
		needsAttendance: isOfAttendance.includes(true),
	};
}

/**
 * Decides whose people are read: where their session shows something else than it did; a second time ten minutes after
 * that, because a list may be behind the counts, and because attendance becomes known step by step; and once a day,
 * because somebody may have left when somebody else came.
 */
export function planPeople(round: Round, sessions: readonly DeliveredRecord[]): PeoplePlan[] {
	const interest = interestOf(round);
	if (!interest.needsRegistrations && !interest.needsAttendance) return [];
	const dueToday = dueDaily(round, sessions);
	return sessions.map((session) => planSession(round, session, interest, dueToday.has(session.id)));
}

function planSession(
	round: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	isDueToday: boolean,
): PeoplePlan {
	const { cursor, now } = round;
	const stored = cursor.people[session.id];
	const bookmark = stored ?? beginPeople(round);
	const last = bookmark.kind === 'read' ? bookmark : undefined;
	const change = changeOf(round, session, interest, last);
	const { hasChanged, isOver, isFirstAfterEnd, changedAt, isQuiet } = change;

	const formerAttendance = last?.attendance ?? 'notOver';
	const isUnsettled = isOver && (hasChanged || formerAttendance !== 'settled');
	const mayHaveNoTimes = bookmark.untimed === undefined && cursor.registrationTimes !== 'given';
	const needsEverybody = isUnsettled || (interest.needsRegistrations && mayHaveNoTimes);
	const hasNothingNew = !stored && !needsEverybody && bookmark.sinceAt >= now;
	const { registrants_count: count, created_at: createdAt } = session.attributes;
	const isNeeded =
		hasChanged ||
		isDueToday ||
		// Where a platform does not count people, they are read each time.
		typeof count !== 'number' ||
		(changedAt !== undefined && isQuiet) ||
		isFirstAfterEnd;
	// Attendance is not known before the end.
	const mayHaveNews = interest.needsRegistrations || isOver;
	const isRead = count !== 0 && mayHaveNews && !hasNothingNew && isNeeded;

	const isNewSession =
		(count === 0 && !stored) || (parseSeconds(createdAt) ?? 0) >= cursor.startedAt;
	const next: ReadPeople = {
		...startedPeopleOf(bookmark),
		kind: 'read',
		// A complete list stays complete, because people who left may come back and a count may be wrong.
		isComplete: bookmark.isComplete || isNewSession,
		facts: change.facts,
		readAt: isRead || !last ? now : last.readAt,
		changedAt: isRead ? (isQuiet ? undefined : changedAt) : last?.changedAt,
		attendance: attendanceAfter(formerAttendance, {
			isOver,
			isRead,
			isQuiet,
			isEmpty: count === 0,
		}),
	};
	const reads = needsEverybody ? 'everybody' : 'changed';
	return { session, reads: isRead ? reads : 'none', isFirstAfterEnd, bookmark, next };
}

/** The change of a session since its people were last read. */
interface SessionChange {
	facts: string;
	/** Whether the session shows other facts than it did. */
	hasChanged: boolean;
	/** Whether the session has ended, where attendance matters, since polling began. */
	isOver: boolean;
	isFirstAfterEnd: boolean;
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt?: number;
	/** Whether nothing has changed for so long that the list is not behind the session. */
	isQuiet: boolean;
}

function changeOf(
	{ cursor, now }: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	last: ReadPeople | undefined,
): SessionChange {
	const facts = factsOf(session, interest);
	const hasChanged = facts !== last?.facts;
	const endedAt = interest.needsAttendance ? parseSeconds(session.attributes.ended_at) : undefined;
	const isOver = endedAt !== undefined && endedAt >= cursor.startedAt;
	const isFirstAfterEnd = isOver && (last?.attendance ?? 'notOver') === 'notOver';
	const isLongOver = isFirstAfterEnd && now - endedAt >= settledAfterSeconds;
	const changedAt = hasChanged || isFirstAfterEnd ? now : last.changedAt;
	const isQuiet = isLongOver || changedAt === undefined || now - changedAt >= mostListedLateSeconds;
	return { facts, hasChanged, isOver, isFirstAfterEnd, changedAt, isQuiet };
}

/** Attendance that has settled stays so, however often the session changes afterwards. */
function attendanceAfter(
	attendance: ReadPeople['attendance'],
	session: Record<'isOver' | 'isRead' | 'isQuiet' | 'isEmpty', boolean>,
): ReadPeople['attendance'] {
	const { isOver, isRead, isQuiet, isEmpty } = session;
	if (attendance === 'settled' || !isOver) return attendance;
	if (isEmpty || (isRead && isQuiet)) return 'settled';
	return isRead ? 'open' : attendance;
}

function factsOf({ attributes }: DeliveredRecord, { needsAttendance }: PeopleInterest): string {
	const names = factsOfRegistrations.concat(needsAttendance ? factsOfAttendance : []);
	return JSON.stringify(names.map((name) => attributes[name]));
}

/** Finds the sessions whose people were not read for a day, the longest unread first, as many as one poll may read. */
function dueDaily(
	{ cursor, limits, now }: Round,
	sessions: readonly DeliveredRecord[],
): Set<string> {
	if (!limits.mayReadDaily) return new Set();
	const unread = sessions.flatMap(({ id, attributes }) => {
		const bookmark = cursor.people[id];
		const isDue = bookmark?.kind === 'read' && now - bookmark.readAt >= daySeconds;
		return isDue && attributes.registrants_count !== 0 ? { id, readAt: bookmark.readAt } : [];
	});
	unread.sort((first, second) => first.readAt - second.readAt);
	return new Set(unread.slice(0, mostDaily).map(({ id }) => id));
}

/** Begins the bookmark of people who were never read. */
function beginPeople({ cursor, search }: Round): DuePeople {
	return { kind: 'due', isComplete: false, ...beginList(cursor, viewOf(cursor, search)) };
}
