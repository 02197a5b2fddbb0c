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

/** The state of a session and of the bookmark of its people, which decides whether they are read. */
interface PeopleState {
	/** Whether nobody is registered. */
	isEmpty: boolean;
	/** Whether the platform does not count people. */
	isUncounted: boolean;
	/** Whether registrations start runs. */
	needsRegistrations: boolean;
	/** The state of the session as far as attendance matters: not over, over since its people were last read, or for longer. */
	phase: 'notOver' | 'firstAfterEnd' | 'over';
	/** Which people are read if any: everybody, or those who have changed since the bookmark. */
	range: 'everybody' | 'changed';
	/** Whether the people were never read, and polling begins at this moment. */
	beginsNow: boolean;
	/** Whether the session shows other facts than it did. */
	hasChanged: boolean;
	/** Whether a change is ten minutes old and has not been looked at a second time. */
	isSecondLookDue: boolean;
	/** Whether the people were not read for a day. */
	isDueToday: boolean;
}

interface ReadingRule {
	holds(state: PeopleState): boolean;
	isRead: boolean;
}

/** The first rule that holds decides whether people are read. Where none does, their session shows nothing new. */
const readingRules: readonly ReadingRule[] = [
	{ holds: ({ isEmpty }) => isEmpty, isRead: false },
	// Attendance is not known before the end.
	{
		holds: ({ phase, needsRegistrations }) => phase === 'notOver' && !needsRegistrations,
		isRead: false,
	},
	// Nobody has come since.
	{ holds: ({ beginsNow, range }) => beginsNow && range === 'changed', isRead: false },
	{ holds: ({ phase }) => phase === 'firstAfterEnd', isRead: true },
	{ holds: ({ hasChanged }) => hasChanged, isRead: true },
	// Where a platform does not count people, they are read in every poll.
	{ holds: ({ isUncounted }) => isUncounted, isRead: true },
	{ holds: ({ isSecondLookDue }) => isSecondLookDue, isRead: true },
	{ holds: ({ isDueToday }) => isDueToday, isRead: true },
];

/** Decides whether the people of one session are read, and how its bookmark goes on. */
function planPeopleOf(
	round: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	isDueToday: boolean,
): PeoplePlan {
	const { cursor, nowSeconds } = round;
	const stored = cursor.people[session.id];
	const bookmark = stored ?? beginPeople(round);
	if (bookmark.kind === 'due' && bookmark.rest) return planRest(session, bookmark, bookmark.rest);
	const lastRead = bookmark.kind === 'read' ? bookmark : undefined;
	const change = changeOf(round, session, interest, lastRead);
	const { facts, hasChanged, phase, changedAt, isQuiet } = change;
	const { registrants_count: count } = session.attributes;
	const isEmpty = count === 0;
	const range = rangeOf(round, bookmark, change, interest);
	const state: PeopleState = {
		isEmpty,
		isUncounted: typeof count !== 'number',
		needsRegistrations: interest.needsRegistrations,
		phase,
		range,
		beginsNow: stored === undefined && bookmark.sinceAt >= nowSeconds,
		hasChanged,
		isSecondLookDue: changedAt !== undefined && isQuiet,
		isDueToday,
	};
	const isRead = readingRules.find(({ holds }) => holds(state))?.isRead === true;
	const next: ReadPeople = {
		...startedPeopleOf(bookmark),
		kind: 'read',
		// A complete list stays complete, because people who left may come back and a count may be wrong.
		isComplete: bookmark.isComplete || isNewSession(round, session, stored),
		facts,
		readAt: isRead || !lastRead ? nowSeconds : lastRead.readAt,
		changedAt: isRead ? (isQuiet ? undefined : changedAt) : lastRead?.changedAt,
		attendance: attendanceAfter(lastRead?.attendance, { phase, isRead, isQuiet, isEmpty }),
	};
	return {
		session,
		reads: isRead ? range : 'none',
		isFirstAfterEnd: phase === 'firstAfterEnd',
		firstPage: 0,
		changedSinceAt:
			range === 'changed' ? changedSince(bookmark.sinceAt, lastRead?.readAt) : undefined,
		bookmark,
		next,
	};
}

/** Decides which people of a session are read if any: everybody while attendance may change, and where no time may tell who is new. */
function rangeOf(
	{ cursor }: Round,
	bookmark: PeopleBookmark,
	{ phase, hasChanged }: SessionChange,
	{ needsRegistrations }: PeopleInterest,
): PeopleState['range'] {
	const isSettled = bookmark.kind === 'read' && bookmark.attendance === 'settled' && !hasChanged;
	if (phase !== 'notOver' && !isSettled) return 'everybody';
	const mayHaveNoTimes = bookmark.untimed === undefined && cursor.registrationTimes !== 'present';
	return needsRegistrations && mayHaveNoTimes ? 'everybody' : 'changed';
}

/** Whether nobody can have registered for a session before polling began. */
function isNewSession(
	{ cursor }: Round,
	{ attributes }: DeliveredRecord,
	stored: PeopleBookmark | undefined,
): boolean {
	const createdAt = parseSeconds(attributes.created_at);
	const isCreatedSince = createdAt !== undefined && createdAt >= cursor.startedAt;
	return isCreatedSince || (stored === undefined && attributes.registrants_count === 0);
}

/** Plans to go on where one poll could not read all people of a session, as if it were the same poll. */
function planRest(session: DeliveredRecord, bookmark: DuePeople, rest: RestOfPeople): PeoplePlan {
	const { page: firstPage, changedSinceAt, isFirstAfterEnd, ...state } = rest;
	const next: ReadPeople = { ...startedPeopleOf(bookmark), kind: 'read', ...state };
	const reads = changedSinceAt === undefined ? 'everybody' : 'changed';
	return { session, reads, isFirstAfterEnd, firstPage, changedSinceAt, bookmark, next };
}

/** The change of a session since its people were last read. */
interface SessionChange extends Pick<PeopleState, 'hasChanged' | 'phase'> {
	/** The facts about the people that the session shows now. */
	facts: string;
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
	const isFirst = (lastRead?.attendance ?? 'notOver') === 'notOver';
	const phase = !isOver ? 'notOver' : isFirst ? 'firstAfterEnd' : 'over';
	const isFirstAfterEnd = phase === 'firstAfterEnd';
	const isLongOver = isFirstAfterEnd && isOver && nowSeconds - endedAt >= settledAfterSeconds;
	const changedAt = hasChanged || isFirstAfterEnd ? nowSeconds : lastRead.changedAt;
	const isQuiet =
		isLongOver || changedAt === undefined || nowSeconds - changedAt >= mostListedLateSeconds;
	return { facts, hasChanged, phase, changedAt, isQuiet };
}

/** The facts that decide whether attendance may still change. */
interface AttendanceFacts extends Pick<PeopleState, 'phase' | 'isEmpty'> {
	/** Whether the people are read in this poll. */
	isRead: boolean;
	/** Whether nothing has changed for so long that the list is not behind the session. */
	isQuiet: boolean;
}

/** Decides whether attendance may still change. Once it has settled it stays so, however often the session changes afterwards. */
function attendanceAfter(
	attendance: ReadPeople['attendance'] = 'notOver',
	{ phase, isRead, isQuiet, isEmpty }: AttendanceFacts,
): ReadPeople['attendance'] {
	if (attendance === 'settled' || phase === 'notOver') return attendance;
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
