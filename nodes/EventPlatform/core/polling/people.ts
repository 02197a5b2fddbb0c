/*
 * The people of the sessions, in one poll: for which sessions they are read (planPeople), reading them (pollPeople), and how their
 * bookmarks move (moveAllPeople).
 */
import { asFailure } from '../client/failure';
import { largestPage, readPages } from '../client/pages';
import { pathTo } from '../client/path';
import { parseSeconds } from '../dialect/time';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import {
	eventTypeOf,
	hasHappenedSince,
	listableTypes,
	type ListedEvent,
} from '../events/eventTypes';
import type { JsonObject } from '../values/json';
import { readDelivered, withSessionId, type DeliveredRecord } from '../records/record';
import { hasAttendanceSettled } from '../sessions/phase';
import {
	beginList,
	changedSince,
	daySeconds,
	lastTriedAt,
	mostEventsInRun,
	mostListedLateSeconds,
	moveBookmark,
	startedPeopleOf,
	viewOf,
	type Cursor,
	type DuePeople,
	type HiddenPeople,
	type PeopleBookmark,
	type ReadPeople,
	type RegistrationTimes,
	type RestOfPeople,
} from './cursor';
import {
	changedQuery,
	eventsIn,
	listChanged,
	noneIfGone,
	type PolledList,
	type Round,
} from './round';

export interface PeoplePlan {
	session: DeliveredRecord;
	/** The people are not read where the session shows nothing new. */
	isRead: boolean;
	isFirstAfterEnd: boolean;
	/** The page that is read first. The polls before have read the others. */
	firstPage: number;
	/** The time since which the people have changed who are listed. Absent: everybody is listed. */
	changedSinceAt?: number;
	bookmark: PeopleBookmark;
	/** The bookmark after the poll, without the events that start a run in this poll. */
	next: ReadPeople;
}

/** The people of a session may have changed when one of these facts about it has changed. */
const factsOfRegistrations = ['registrants_count', 'updated_at'];
const factsOfAttendance = ['attendees_count', 'started_at', 'ended_at'];
/**
 * One poll reads the people of at most so many sessions for no other reason than that a day has passed. Five requests delay
 * the next poll of a lone trigger by 67 minutes; those for a hundred sessions would delay it by 22 hours.
 */
const mostDaily = 5;

/** The changes of people that the event types in question are about. */
interface PeopleInterest {
	needsRegistrations: boolean;
	needsAttendance: boolean;
}

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

/** How far attendance is known when a poll comes to a session. `justEnded`: it has ended since its people were last read. */
type AttendancePhase = ReadPeople['attendance'] | 'justEnded';

interface PhaseRule {
	/** The people are read although their session shows nothing new. */
	isAlwaysRead: boolean;
	/** Who is read: those who have changed, everybody, or everybody where the session shows something new. */
	reads: 'changed' | 'everybody' | 'everybodyIfNew';
	/** Reading the people when nothing changes any more settles attendance, and it is open until then. */
	settles: boolean;
}

const phaseRules: Readonly<Record<AttendancePhase, PhaseRule>> = {
	notOver: { isAlwaysRead: false, reads: 'changed', settles: false },
	justEnded: { isAlwaysRead: true, reads: 'everybody', settles: true },
	open: { isAlwaysRead: false, reads: 'everybody', settles: true },
	// It stays so, however often the session changes afterwards.
	settled: { isAlwaysRead: false, reads: 'everybodyIfNew', settles: false },
};

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
	const { facts, phase, hasChanged, changedAt, isQuiet } = change;
	const { isAlwaysRead, reads } = phaseRules[phase];
	const readsEverybody =
		reads === 'everybody' ||
		(reads === 'everybodyIfNew' && hasChanged) ||
		// No time tells who is new.
		(interest.needsRegistrations &&
			bookmark.untimed === undefined &&
			cursor.registrationTimes !== 'present');
	const changedSinceAt = readsEverybody
		? undefined
		: changedSince(bookmark.sinceAt, lastRead?.readAt);
	const { registrants_count: count } = session.attributes;
	const beginsNow = stored === undefined && bookmark.sinceAt >= nowSeconds;
	const needsSecondLook = changedAt !== undefined && isQuiet;
	const isRead =
		count !== 0 &&
		// Attendance is not known before the end.
		(phase !== 'notOver' || interest.needsRegistrations) &&
		// Where polling begins at this moment, nobody has come since.
		!(beginsNow && changedSinceAt !== undefined) &&
		// Where a platform does not count people, they are read in every poll.
		(typeof count !== 'number' || isDueToday || isAlwaysRead || hasChanged || needsSecondLook);
	const next: ReadPeople = {
		...startedPeopleOf(bookmark),
		kind: 'read',
		// A complete list stays complete, because people who left may come back and a count may be wrong.
		isComplete: bookmark.isComplete || isNewSession(round, session, stored),
		facts,
		readAt: isRead || !lastRead ? nowSeconds : lastRead.readAt,
		changedAt: isRead ? (isQuiet ? undefined : changedAt) : lastRead?.changedAt,
		attendance: attendanceAfter(change, lastRead?.attendance, isRead, count === 0),
	};
	const isFirstAfterEnd = phase === 'justEnded';
	return { session, isRead, isFirstAfterEnd, firstPage: 0, changedSinceAt, bookmark, next };
}

/** Nobody can have registered for a new session before polling began. */
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
	return { session, isRead: true, isFirstAfterEnd, firstPage, changedSinceAt, bookmark, next };
}

/** The change of a session since its people were last read. */
interface SessionChange {
	phase: AttendancePhase;
	hasChanged: boolean;
	/** The facts about the people that the session shows now. */
	facts: string;
	/** When something changed that has not been looked at a second time. Absent: nothing has. */
	changedAt?: number;
	/** Nothing has changed for so long that the list is not behind the session. */
	isQuiet: boolean;
}

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
	const attendance = lastRead?.attendance ?? 'notOver';
	const phase = !isOver ? 'notOver' : attendance === 'notOver' ? 'justEnded' : attendance;
	const hasJustEnded = phase === 'justEnded';
	// Attendance that is first read so late needs no second look.
	const isLongOver = hasJustEnded && isOver && hasAttendanceSettled(endedAt, nowSeconds);
	const changedAt = hasChanged || hasJustEnded ? nowSeconds : lastRead.changedAt;
	const isQuiet =
		isLongOver || changedAt === undefined || nowSeconds - changedAt >= mostListedLateSeconds;
	return { facts, hasChanged, phase, changedAt, isQuiet };
}

function attendanceAfter(
	{ phase, isQuiet }: SessionChange,
	attendance: ReadPeople['attendance'] = 'notOver',
	isRead: boolean,
	isEmpty: boolean,
): ReadPeople['attendance'] {
	if (!phaseRules[phase].settles) return attendance;
	if (isEmpty || (isRead && isQuiet)) return 'settled';
	return isRead ? 'open' : attendance;
}

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

function beginPeople({ cursor, search }: Round): DuePeople {
	return { kind: 'due', isComplete: false, ...beginList(cursor, viewOf(cursor, search)) };
}

export interface PolledPeople extends PolledList {
	plan: PeoplePlan;
	/** The number of the page from which on the list is still to be read. Absent: it was read to its end. */
	restPage?: number;
	/** The bookmark after the poll, without the events that start a run in this poll. */
	next: ReadPeople;
}

export async function pollPeople(round: Round, plan: PeoplePlan): Promise<PolledPeople> {
	const isNews = makeNewsTest(round, plan);
	const pages = await readPeoplePages(round, plan, isNews);
	return findNewPeople(round, plan, isNews, pages);
}

type PeoplePages = Pick<PolledPeople, 'restPage'> & { events: ListedEvent[] };

/**
 * Reads the pages of a list of people, from the first that is planned on, until the time is over. Of attendance, which has no
 * order, it reads no more than one run can take.
 */
async function readPeoplePages(
	round: Round,
	plan: PeoplePlan,
	isNews: NewsTest,
): Promise<PeoplePages> {
	const { session, firstPage, changedSinceAt } = plan;
	const events: ListedEvent[] = [];
	let newsOfAttendance = 0;
	let nextPage = firstPage;
	try {
		for await (const page of readPages(round.api, pathTo`/sessions/${session.id}/people`, {
			query: changedQuery(changedSinceAt),
			firstPage,
		})) {
			for (const event of eventsOfPeople(round, session, page.records)) {
				events.push(event);
				if (event.attendance && mayBeTold(plan.next, event) && isNews(event)) newsOfAttendance += 1;
			}
			nextPage = Math.max(nextPage, (page.number ?? 0) + 1);
			if (newsOfAttendance > mostEventsInRun - largestPage) return { events, restPage: nextPage };
		}
		return { events };
	} catch (error) {
		const failure = asFailure(error);
		if (failure.cause === 'not_found') return { events };
		if (failure.cause === 'nothing_or_filter' && changedSinceAt !== undefined)
			return await readPeoplePages(round, { ...plan, changedSinceAt: undefined }, isNews);
		if (!round.limits.isTimeOver() || nextPage === firstPage) throw failure;
		return { events, restPage: nextPage };
	}
}

/** Lists the events of at most `limit` people of a session. `sinceAt`: the time since which they have changed. Absent: everybody is listed. */
export async function listPeopleEvents(
	round: Round,
	session: DeliveredRecord,
	sinceAt?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'people').length === 0) return [];
	const path = pathTo`/sessions/${session.id}/people`;
	const people = await listChanged(round.api, path, sinceAt, limit).catch(noneIfGone);
	return eventsOfPeople(round, session, people);
}

function eventsOfPeople(
	round: Round,
	session: DeliveredRecord,
	records: readonly JsonObject[],
): ListedEvent[] {
	const people = records.map(readDelivered).filter((person) => person !== undefined);
	const peopleOfSession = people.map((person) => withSessionId(person, session.id));
	return eventsIn(round, 'people', peopleOfSession, session.attributes);
}

/** Finds the people who have to start a run, and decides how the bookmark goes on. */
function findNewPeople(
	round: Round,
	plan: PeoplePlan,
	isNews: NewsTest,
	{ events, restPage }: PeoplePages,
): PolledPeople {
	const next = { ...plan.next };
	const hasNewAttendee = events.some((event) => event.attendance === 'came' && isNews(event));
	// While the platform still adds attendees, nobody can be called absent.
	if (hasNewAttendee && next.attendance !== 'notOver' && !plan.isFirstAfterEnd) {
		next.attendance = 'open';
		next.changedAt = round.nowSeconds;
	}
	const listed = events.filter((event) => mayBeTold(next, event));
	const isEverybody = restPage === undefined && plan.changedSinceAt === undefined;
	const isWhole = isEverybody && round.cursor.registrationTimes !== 'present';
	next.isComplete = plan.next.isComplete || isWhole;
	return { plan, restPage, next, listed, news: listed.filter(isNews) };
}

/** Nobody is absent before attendance has settled. */
function mayBeTold({ attendance }: ReadPeople, event: ListedEvent): boolean {
	return attendance === 'settled' || event.attendance !== 'stayedAway';
}

type NewsTest = (event: ListedEvent) => boolean;

/** Makes a function that tells whether an event of the people of a session has to start a run. */
function makeNewsTest({ cursor, search }: Round, { bookmark, next }: PeoplePlan): NewsTest {
	const [seenKeys, untimedKeys] = [readKeys(bookmark.seen), readKeys(bookmark.untimed)];
	// Where the people were never read, some of them may have been there before the trigger began.
	const untimedSinceAt = bookmark.untimed === undefined ? bookmark.sinceAt : cursor.startedAt;
	// Where no time tells it: who was not in the list when attendance had settled has registered for the replay.
	const wasSettled = bookmark.kind === 'read' && bookmark.attendance === 'settled';
	return (event) => {
		if (wasSettled && event.attendance === 'stayedAway') return false;
		const key = seenKey(event);
		if (seenKeys.has(key) || untimedKeys.has(key) || search.isDelivered?.(event) === true)
			return false;
		if (!event.isUntimed) return hasHappenedSince(event, bookmark.sinceAt);
		const isNewcomer = next.isComplete && event.attendance === undefined;
		return hasHappenedSince(event, untimedSinceAt) || isNewcomer;
	};
}

/** Reads one person to see whether the platform tells when somebody registered; undefined where no session shows it. */
export async function readRegistrationTimes(
	round: Round,
	sessions: readonly DeliveredRecord[],
): Promise<RegistrationTimes | undefined> {
	const { cursor, search } = round;
	const eventTypes = search.eventTypes.filter((name) => !eventTypeOf(name).attendance);
	const session = sessions.find(
		({ id, attributes }) => !cursor.people[id] && attributes.registrants_count !== 0,
	);
	if (session === undefined) return undefined;
	const forRegistrations = { ...round, search: { ...search, eventTypes } };
	const [event] = await listPeopleEvents(forRegistrations, session, undefined, 1);
	return event && (event.isUntimed ? 'missing' : 'present');
}

export interface AllPeople {
	plans: readonly PeoplePlan[];
	people: ReadonlyMap<string, PolledPeople>;
	/** The times when reading people was given up because the time of the poll was over, by the ids of their sessions. */
	givenUpAt: ReadonlyMap<string, number>;
}

export function moveAllPeople(
	{ cursor, nowSeconds }: Round,
	{ plans, people, givenUpAt }: AllPeople,
	leftOver: ReadonlySet<ListedEvent>,
): Cursor['people'] {
	const next: Cursor['people'] = {};
	for (const [id, bookmark] of Object.entries(cursor.people)) {
		const hidden = hidePeople(bookmark, nowSeconds);
		if (hidden) next[id] = hidden;
	}
	for (const plan of plans) {
		const { id } = plan.session;
		const polled = people.get(id);
		if (polled) next[id] = movePeople(polled, leftOver, nowSeconds);
		else if (!plan.isRead) next[id] = plan.next;
		else next[id] = postponePeople(plan.bookmark, givenUpAt.get(id));
	}
	return next;
}

function movePeople(
	polled: PolledPeople,
	leftOver: ReadonlySet<ListedEvent>,
	nowSeconds: number,
): PeopleBookmark {
	const { plan, listed, next, restPage } = polled;
	const started = listed.filter((event) => !leftOver.has(event));
	const timed = started.filter(({ isUntimed }) => !isUntimed);
	const untimedKeys = started.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const isPart = plan.firstPage > 0 || restPage !== undefined;
	// Where a part of the list was not read, the bookmark stays where it is.
	const reach = isPart ? { notBeyondAt: 0 } : { listedSinceAt: plan.changedSinceAt };
	const keys = {
		...moveBookmark(plan.bookmark, timed, { nowSeconds, ...reach }),
		untimed: writeKeys([...readKeys(plan.bookmark.untimed), ...untimedKeys]),
		isComplete: next.isComplete,
	};
	const isStarted = started.length === listed.length;
	if (isStarted && restPage === undefined) return { ...next, ...keys };
	// The events that are left over are found again: by their time, or because their key is not remembered.
	if (!isPart) return { kind: 'due', triedAt: nowSeconds, ...keys };
	// The list may have become shorter meanwhile, so that the page before is read again.
	const isFurther = isStarted && restPage !== undefined;
	const page = isFurther ? Math.max(restPage - 1, plan.firstPage + 1) : plan.firstPage;
	return { kind: 'due', triedAt: nowSeconds, ...keys, rest: restOf(plan, next, page) };
}

function restOf(
	{ changedSinceAt, isFirstAfterEnd }: PeoplePlan,
	{ facts, readAt, changedAt, attendance }: ReadPeople,
	page: number,
): RestOfPeople {
	return { page, changedSinceAt, isFirstAfterEnd, facts, readAt, changedAt, attendance };
}

/** The next poll reads these people, who could not be read, whatever their session shows. */
function postponePeople(bookmark: PeopleBookmark, triedAt = lastTriedAt(bookmark)): DuePeople {
	const rest = bookmark.kind === 'due' ? bookmark.rest : undefined;
	return { ...startedPeopleOf(bookmark), kind: 'due', triedAt, rest };
}

/** The session of these people is not listed. Undefined: they are forgotten. */
function hidePeople(bookmark: PeopleBookmark, nowSeconds: number): HiddenPeople | undefined {
	const hiddenAt = bookmark.kind === 'hidden' ? bookmark.hiddenAt : nowSeconds;
	if (nowSeconds - hiddenAt >= daySeconds) return undefined;
	return { ...startedPeopleOf(bookmark), kind: 'hidden', hiddenAt };
}
