import { pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { eventTypeOf, listableTypes, type ListedEvent } from '../events/eventTypes';
import { inSession, type DeliveredRecord } from '../records/record';
import { parseSeconds } from '../values/time';
import {
	beginList,
	changedSince,
	daySeconds,
	latestSeconds,
	viewOf,
	type DuePeople,
	type HiddenPeople,
	type PeopleBookmark,
	type ReadPeople,
	type RegistrationTimes,
} from './cursor';
import { moveBookmark, type ListReading } from './news';
import { eventsIn, listDelivered, nullIfGone, type Round } from './round';

/** The plan of a poll for the people of a session. */
export interface PeoplePlan {
	session: DeliveredRecord;
	/** `changed`: those who changed since the bookmark. `none`: the session shows nothing new of them. */
	reads: 'everybody' | 'changed' | 'none';
	/** Their session has ended since they were read. */
	isFirstAfterEnd: boolean;
	/** The bookmark before the poll. */
	former: PeopleBookmark;
	/** The bookmark after it, but for what has started a run. */
	next: ReadPeople;
}

/** People who were read in a poll. */
export interface PeopleReading extends ListReading {
	plan: PeoplePlan;
	/** Only those were asked for who changed since then. Absent: everybody. */
	shownSinceAt?: number;
	/** The bookmark, but for what has started a run. */
	next: ReadPeople;
}

/** When one of these changes, so may have the people. */
const factsOfRegistrations = ['registrants_count', 'updated_at'];
const factsOfAttendance = ['attendees_count', 'started_at', 'ended_at'];
/** Attendance that is first read so long after the end has settled. */
const settledAfterSeconds = 3_600;
/** At most this many sessions are read in one poll only because a day has passed. */
const mostDaily = 5;

export function peoplePath({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

/** Whether registrations and attendance matter to the event types in question. */
interface PeopleInterest {
	registrations: boolean;
	attendance: boolean;
}

function interestOf({ wanted }: Round): PeopleInterest {
	const types = listableTypes(wanted.eventTypes, 'people').map(eventTypeOf);
	const isOfAttendance = types.map(({ attendance }) => attendance !== undefined);
	return {
		registrations: isOfAttendance.includes(false),
		attendance: isOfAttendance.includes(true),
	};
}

/**
 * Decides whose people are read: where their session shows something else than it did; a second time ten minutes after
 * that, because a list may be behind the counts, and because attendance becomes known step by step; and once a day,
 * because somebody may have left when somebody else came.
 */
export function planPeople(round: Round, sessions: readonly DeliveredRecord[]): PeoplePlan[] {
	const interest = interestOf(round);
	if (!interest.registrations && !interest.attendance) return [];
	const daily = dueDaily(round, sessions);
	return sessions.map((session) => planSession(round, session, interest, daily.has(session.id)));
}

function planSession(
	round: Round,
	session: DeliveredRecord,
	interest: PeopleInterest,
	isDaily: boolean,
): PeoplePlan {
	const { cursor, now } = round;
	const { registrants_count: count, created_at: createdAt } = session.attributes;
	const stored = cursor.people[session.id];
	const former = stored ?? beginPeople(round);
	const last = former.kind === 'read' ? former : undefined;
	const facts = factsOf(session, interest);
	const hasChanged = facts !== last?.facts;
	const endedAt = interest.attendance ? parseSeconds(session.attributes.ended_at) : undefined;
	const isOver = endedAt !== undefined && endedAt >= cursor.startedAt;
	const formerAttendance = last?.attendance ?? 'notOver';
	const isFirstAfterEnd = isOver && formerAttendance === 'notOver';
	const isLongOver = isFirstAfterEnd && now - endedAt >= settledAfterSeconds;
	const changedAt = hasChanged || isFirstAfterEnd ? now : last.changedAt;
	const isQuiet = isLongOver || changedAt === undefined || now - changedAt >= latestSeconds;

	const isUnsettled = isOver && (hasChanged || formerAttendance !== 'settled');
	const mayHaveNoTimes = former.untimed === undefined && cursor.registrationTimes !== 'given';
	const readsEverybody = isUnsettled || (interest.registrations && mayHaveNoTimes);
	const hasNothingNew = !stored && !readsEverybody && former.sinceAt >= now;
	const isNeeded =
		hasChanged ||
		isDaily ||
		// A platform that does not count: its people are read each time.
		typeof count !== 'number' ||
		(changedAt !== undefined && isQuiet) ||
		isFirstAfterEnd;
	// Attendance is not known before the end.
	const mayHaveNews = interest.registrations || isOver;
	const isRead = count !== 0 && mayHaveNews && !hasNothingNew && isNeeded;

	const isNewSession =
		(count === 0 && !stored) || (parseSeconds(createdAt) ?? 0) >= cursor.startedAt;
	const next: ReadPeople = {
		...eventsOfBookmark(former),
		kind: 'read',
		// A complete list stays complete, because people who left may come back and a count may be wrong.
		isComplete: former.isComplete || isNewSession,
		facts,
		readAt: isRead || !last ? now : last.readAt,
		changedAt: isRead ? (isQuiet ? undefined : changedAt) : last?.changedAt,
		attendance: attendanceAfter(formerAttendance, {
			isOver,
			isRead,
			isQuiet,
			isEmpty: count === 0,
		}),
	};
	const reads = readsEverybody ? 'everybody' : 'changed';
	return { session, reads: isRead ? reads : 'none', isFirstAfterEnd, former, next };
}

/** Attendance that has settled stays so, however often the session changes afterwards. */
function attendanceAfter(
	former: ReadPeople['attendance'],
	session: Record<'isOver' | 'isRead' | 'isQuiet' | 'isEmpty', boolean>,
): ReadPeople['attendance'] {
	const { isOver, isRead, isQuiet, isEmpty } = session;
	if (former === 'settled' || !isOver) return former;
	if (isEmpty || (isRead && isQuiet)) return 'settled';
	return isRead ? 'open' : former;
}

function factsOf({ attributes }: DeliveredRecord, { attendance }: PeopleInterest): string {
	const names = factsOfRegistrations.concat(attendance ? factsOfAttendance : []);
	return JSON.stringify(names.map((name) => attributes[name]));
}

/** Sessions whose people nobody has read for a day, the longest unread first, as many as one poll may read. */
function dueDaily(
	{ cursor, limits, now }: Round,
	sessions: readonly DeliveredRecord[],
): Set<string> {
	if (!limits.readsDaily) return new Set();
	const unread = sessions.flatMap(({ id, attributes }) => {
		const people = cursor.people[id];
		const isDue = people?.kind === 'read' && now - people.readAt >= daySeconds;
		return isDue && attributes.registrants_count !== 0 ? { id, readAt: people.readAt } : [];
	});
	unread.sort((first, second) => first.readAt - second.readAt);
	return new Set(unread.slice(0, mostDaily).map(({ id }) => id));
}

/** People who were never read. */
function beginPeople({ cursor, wanted }: Round): DuePeople {
	return { kind: 'due', isComplete: false, ...beginList(cursor, viewOf(cursor, wanted)) };
}

/** Reads the people of a session, and finds what is new of them. */
export async function readPeople(round: Round, plan: PeoplePlan): Promise<PeopleReading> {
	const { reads, former } = plan;
	const readAt = former.kind === 'read' ? former.readAt : undefined;
	const shownSinceAt = reads === 'everybody' ? undefined : changedSince(former.sinceAt, readAt);
	const events = await eventsOfPeople(round, plan.session, shownSinceAt);
	return { shownSinceAt, ...findNewPeople(round, plan, events) };
}

/** The events of those who changed since then, or of everybody; of at most so many people. */
export async function eventsOfPeople(
	round: Round,
	session: DeliveredRecord,
	sinceAt?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.wanted.eventTypes, 'people').length === 0) return [];
	const query = sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
	const asked = { query, limit };
	const people = await listDelivered(round.api, peoplePath(session), asked).catch(nullIfGone);
	const registered = (people ?? []).map((person) => inSession(person, session.id));
	return eventsIn(round, 'people', registered, session.attributes);
}

function findNewPeople(round: Round, plan: PeoplePlan, events: ListedEvent[]): PeopleReading {
	const { former } = plan;
	const next = { ...plan.next };
	const isNews = newsTest(round, plan);
	const hasCome = events.some((event) => event.attendance === 'came' && isNews(event));
	// While more and more people turn out to have attended, nobody is absent yet.
	if (hasCome && next.attendance !== 'notOver' && !plan.isFirstAfterEnd) {
		next.attendance = 'open';
		next.changedAt = round.now;
	}
	const isSettled = next.attendance === 'settled';
	const shown = events.filter((event) => isSettled || event.attendance !== 'stayedAway');
	const isWhole = plan.reads === 'everybody' && round.cursor.registrationTimes !== 'given';
	next.isComplete = former.isComplete || plan.next.isComplete || isWhole;
	return { plan, next, shown, news: shown.filter(isNews) };
}

/** Tells whether an event of the people of a session has to start a run. */
function newsTest({ cursor, wanted }: Round, { former, next }: PeoplePlan) {
	const [seen, untimed] = [readKeys(former.seen), readKeys(former.untimed)];
	// Where nobody has been looked at, people may have been there before they were looked for.
	const untimedFrom = former.untimed === undefined ? former.sinceAt : cursor.startedAt;
	return (event: ListedEvent): boolean => {
		const key = seenKey(event);
		if (seen.has(key) || untimed.has(key) || wanted.wasDelivered?.(event) === true) return false;
		if (!event.isUntimed) return event.at >= former.sinceAt;
		return event.at >= untimedFrom || (next.isComplete && event.attendance === undefined);
	};
}

/** The bookmark when all but these events have started a run. */
export function rememberPeople(
	{ plan, shown, shownSinceAt, next }: PeopleReading,
	left: ReadonlySet<ListedEvent>,
	now: number,
): PeopleBookmark {
	const started = shown.filter((event) => !left.has(event));
	const timed = started.filter(({ isUntimed }) => !isUntimed);
	const untimed = started.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const keys = {
		...moveBookmark(plan.former, timed, { now, shownSinceAt }),
		untimed: writeKeys([...readKeys(plan.former.untimed), ...untimed]),
		isComplete: next.isComplete,
	};
	if (started.length === shown.length) return { ...next, ...keys };
	// The events that are left are found again: by their time, or because their key is not known.
	return { kind: 'due', triedAt: now, ...keys };
}

/** The bookmark of people who could not be read: the next poll reads them whatever their session shows. */
export function postponePeople({ former }: PeoplePlan, triedAt = lastTriedAt(former)): DuePeople {
	return { ...eventsOfBookmark(former), kind: 'due', triedAt };
}

/** The bookmark of people whose session is not listed; undefined when it has been forgotten. */
export function hidePeople(former: PeopleBookmark, now: number): HiddenPeople | undefined {
	const hiddenAt = former.kind === 'hidden' ? former.hiddenAt : now;
	if (now - hiddenAt >= daySeconds) return undefined;
	return { ...eventsOfBookmark(former), kind: 'hidden', hiddenAt };
}

/** Something is still to be told of these people, however long ago their session has ended. */
export function isUnfinished(people: PeopleBookmark | undefined): boolean {
	return people?.kind === 'due' || (people?.kind === 'read' && people.attendance === 'open');
}

/** When people were last read, or reading them was last tried. */
export function lastTriedAt(people: PeopleBookmark | undefined): number {
	if (people?.kind === 'read') return people.readAt;
	return people?.kind === 'due' ? (people.triedAt ?? 0) : 0;
}

/** The part of a bookmark that every kind of it has. */
function eventsOfBookmark({ sinceAt, seen, untimed, isComplete }: PeopleBookmark) {
	return { sinceAt, seen, untimed, isComplete };
}

/** Finds out whether the platform tells when somebody registered, with one request; undefined: nobody has shown it. */
export async function findRegistrationTimes(
	round: Round,
	sessions: readonly DeliveredRecord[],
): Promise<RegistrationTimes | undefined> {
	const { cursor, wanted } = round;
	const eventTypes = wanted.eventTypes.filter((name) => !eventTypeOf(name).attendance);
	const session = sessions.find(
		({ id, attributes }) => !cursor.people[id] && attributes.registrants_count !== 0,
	);
	if (session === undefined) return undefined;
	const forRegistrations = { ...round, wanted: { ...wanted, eventTypes } };
	const [event] = await eventsOfPeople(forRegistrations, session, undefined, 1);
	return event && (event.isUntimed ? 'missing' : 'given');
}
