import { eventTypeOf, listableTypes } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import {
	beginList,
	changedSince,
	daySeconds,
	mostListedLateSeconds,
	startedPeopleOf,
	viewOf,
	type DuePeople,
	type PeopleBookmark,
	type ReadPeople,
	type RestOfPeople,
} from './cursor';
import type { Round } from './round';

/** The plan of a poll for the people of a session. */
export interface PeoplePlan {
	/** The session whose people it is for. */
	session: DeliveredRecord;
	/** The people who are read: `everybody`, the people who have `changed` since the bookmark, or `none` where the session shows nothing new. */
	reads: 'everybody' | 'changed' | 'none';
	/** Whether the session has ended since its people were last read. */
	isFirstAfterEnd: boolean;
	/** The page that is read first. The polls before have read the others. */
	firstPage: number;
	/** The time since which the people have changed who are listed. Absent: everybody is listed. */
	changedSinceAt?: number;
	/** The bookmark before the poll. */
	bookmark: PeopleBookmark;
	/** The bookmark after the poll, without the events that start a run in this poll. */
	next: ReadPeople;
}

/** The people of a session may have changed when one of these facts about it has changed. */
const factsOfRegistrations = ['registrants_count', 'updated_at'];
const factsOfAttendance = ['attendees_count', 'started_at', 'ended_at'];
/** Attendance that is read for the first time so long after the end has settled already. */
const settledAfterSeconds = 3_600;
/** One poll reads the people of at most so many sessions for no other reason than that a day has passed. */
const mostDaily = 5;

/** The changes of people that the event types in question are about. */
interface PeopleInterest {
	needsRegistrations: boolean;
	needsAttendance: boolean;
}

/** Gives the changes of people that the trigger looks for. */
function interestOf({ search }: Round): PeopleInterest {
	const types = listableTypes(search.eventTypes, 'people').map(eventTypeOf);
	const areAboutAttendance = types.map(({ attendance }) => attendance !== undefined);
	return {
		needsRegistrations: areAboutAttendance.includes(false),
		needsAttendance: areAboutAttendance.includes(true),
	};
}

/**
 * Decides for which sessions the people are read. They are read when their session shows something else than it did; a second
 * time ten minutes after that, because a list may be behind the counts and attendance becomes known step by step; and once a
 * day, because one person may have left when another one came.
 */
export function planPeople(round: Round, sessions: readonly DeliveredRecord[]): PeoplePlan[] {
	const interest = interestOf(round);
	if (!interest.needsRegistrations && !interest.needsAttendance) return [];
	const dueToday = findDueToday(round, sessions);
	return sessions.map((session) =>
		planPeopleOf(round, session, interest, dueToday.has(session.id)),
	);
}

/** Decides whether the people of one session are read, and how its bookmark goes on. */
function planPeopleOf(
	round: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	isDueToday: boolean,
): PeoplePlan {
	const { cursor, nowSeconds } = round;
	const hasBookmark = cursor.people[session.id] !== undefined;
	const bookmark = cursor.people[session.id] ?? beginPeople(round);
	if (bookmark.kind === 'due' && bookmark.rest) return planRest(session, bookmark, bookmark.rest);
	const lastRead = bookmark.kind === 'read' ? bookmark : undefined;
	const change = changeOf(round, session, interest, lastRead);
	const { hasChanged, isOver, isFirstAfterEnd, changedAt, isQuiet } = change;

	const lastAttendance = lastRead?.attendance ?? 'notOver';
	const isUnsettled = isOver && (hasChanged || lastAttendance !== 'settled');
	const mayHaveNoTimes = bookmark.untimed === undefined && cursor.registrationTimes !== 'present';
	const needsEverybody = isUnsettled || (interest.needsRegistrations && mayHaveNoTimes);
	const hasNothingNew = !hasBookmark && !needsEverybody && bookmark.sinceAt >= nowSeconds;
	const { registrants_count: count, created_at: createdAt } = session.attributes;
	const isNeeded =
		hasChanged ||
		isDueToday ||
		// Where a platform does not count people, they are read in every poll.
		typeof count !== 'number' ||
		(changedAt !== undefined && isQuiet) ||
		isFirstAfterEnd;
	// Attendance is not known before the end.
	const mayHaveNews = interest.needsRegistrations || isOver;
	const isRead = count !== 0 && mayHaveNews && !hasNothingNew && isNeeded;

	const changedSinceAt = needsEverybody
		? undefined
		: changedSince(bookmark.sinceAt, lastRead?.readAt);
	const createdAtSeconds = parseSeconds(createdAt);
	const isCreatedSince = createdAtSeconds !== undefined && createdAtSeconds >= cursor.startedAt;
	const isNewSession = (count === 0 && !hasBookmark) || isCreatedSince;
	const next: ReadPeople = {
		...startedPeopleOf(bookmark),
		kind: 'read',
		// A complete list stays complete, because people who left may come back and a count may be wrong.
		isComplete: bookmark.isComplete || isNewSession,
		facts: change.facts,
		readAt: isRead || !lastRead ? nowSeconds : lastRead.readAt,
		changedAt: isRead ? (isQuiet ? undefined : changedAt) : lastRead?.changedAt,
		attendance: attendanceAfter(lastAttendance, { isOver, isRead, isQuiet, isEmpty: count === 0 }),
	};
	return {
		session,
		reads: isRead ? (needsEverybody ? 'everybody' : 'changed') : 'none',
		isFirstAfterEnd,
		firstPage: 0,
		changedSinceAt,
		bookmark,
		next,
	};
}

/** Plans to go on where one poll could not read all people of a session, as if it were the same poll. */
function planRest(session: DeliveredRecord, bookmark: DuePeople, rest: RestOfPeople): PeoplePlan {
	const { page: firstPage, changedSinceAt, isFirstAfterEnd, ...state } = rest;
	const next: ReadPeople = { ...startedPeopleOf(bookmark), kind: 'read', ...state };
	const reads = changedSinceAt === undefined ? 'everybody' : 'changed';
	return { session, reads, isFirstAfterEnd, firstPage, changedSinceAt, bookmark, next };
}

/** The change of a session since its people were last read. */
interface SessionChange {
	/** The facts about the people that the session shows now. */
	facts: string;
	/** Whether the session shows other facts than it did. */
	hasChanged: boolean;
	/** Whether attendance matters and the session has ended since polling began. */
	isOver: boolean;
	/** Whether the session has ended since its people were last read. */
	isFirstAfterEnd: boolean;
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt?: number;
	/** Whether nothing has changed for so long that the list is not behind the session. */
	isQuiet: boolean;
}

/** Finds the change of a session since its people were last read. */
function changeOf(
	{ cursor, nowSeconds }: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	lastRead: ReadPeople | undefined,
): SessionChange {
	const facts = factsOf(session, interest);
	const hasChanged = facts !== lastRead?.facts;
	const endedAt = interest.needsAttendance ? parseSeconds(session.attributes.ended_at) : undefined;
	const isOver = endedAt !== undefined && endedAt >= cursor.startedAt;
	const isFirstAfterEnd = isOver && (lastRead?.attendance ?? 'notOver') === 'notOver';
	const isLongOver = isFirstAfterEnd && nowSeconds - endedAt >= settledAfterSeconds;
	const changedAt = hasChanged || isFirstAfterEnd ? nowSeconds : lastRead.changedAt;
	const isQuiet =
		isLongOver || changedAt === undefined || nowSeconds - changedAt >= mostListedLateSeconds;
	return { facts, hasChanged, isOver, isFirstAfterEnd, changedAt, isQuiet };
}

/** The facts that decide whether attendance may still change. */
interface AttendanceFacts {
	/** Whether the session is over. */
	isOver: boolean;
	/** Whether its people are read in this poll. */
	isRead: boolean;
	/** Whether nothing has changed for so long that the list is not behind the session. */
	isQuiet: boolean;
	/** Whether nobody is registered. */
	isEmpty: boolean;
}

/** Decides whether attendance may still change. Once it has settled it stays so, however often the session changes afterwards. */
function attendanceAfter(
	attendance: ReadPeople['attendance'],
	session: AttendanceFacts,
): ReadPeople['attendance'] {
	const { isOver, isRead, isQuiet, isEmpty } = session;
	if (attendance === 'settled' || !isOver) return attendance;
	if (isEmpty || (isRead && isQuiet)) return 'settled';
	return isRead ? 'open' : attendance;
}

/** Gives the facts of a session that show whether its people may have changed, as one text. */
function factsOf({ attributes }: DeliveredRecord, { needsAttendance }: PeopleInterest): string {
	const names = factsOfRegistrations.concat(needsAttendance ? factsOfAttendance : []);
	return JSON.stringify(names.map((name) => attributes[name]));
}

/** Finds the ids of sessions whose people were not read for a day, the longest unread first, as many as one poll may read. */
function findDueToday(
	{ cursor, limits, nowSeconds }: Round,
	sessions: readonly DeliveredRecord[],
): Set<string> {
	if (!limits.mayReadDaily) return new Set();
	const unread = sessions.flatMap(({ id, attributes }) => {
		const bookmark = cursor.people[id];
		const isDue = bookmark?.kind === 'read' && nowSeconds - bookmark.readAt >= daySeconds;
		return isDue && attributes.registrants_count !== 0 ? { id, readAt: bookmark.readAt } : [];
	});
	unread.sort((first, second) => first.readAt - second.readAt);
	return new Set(unread.slice(0, mostDaily).map(({ id }) => id));
}

/** Begins the bookmark of people who were never read. */
function beginPeople({ cursor, search }: Round): DuePeople {
	return { kind: 'due', isComplete: false, ...beginList(cursor, viewOf(cursor, search)) };
}
