/*
 * The events of the clock: a session starts soon, and a session was changed. Every 15 to 60 minutes a list shows the sessions to come. In between
 * nothing is asked until a reminder is due; its session is then read, because it may have been moved or canceled.
 */
import { asFailure } from '../../client/failure';
import type { Ask } from '../../client/request';
import { scheduleTypes, type ListedEvent } from '../../events/eventTypes';
import { isWithinFilters } from '../../events/filters';
import type { DeliveredRecord } from '../../records/record';
import type { Seconds } from '../../values/units';
import { troubleAt } from '../backOff';
import type { PollContext } from '../pollContext';
import { findDueReminders } from './reminders';
import { beginSchedule, type Schedule } from './schedule';
import type { DueWork, ScheduleStep } from './dueWork';
import { takeScheduleNews, type ReadSessions } from './scheduleNews';
import { leadsOf, tells, type Search } from '../pollSettings';
import { ofTitle } from '../sessionList';
import {
	findListToCome,
	isNewTo,
	listToCome,
	readToCome,
	type KnownSessions,
	type ListInView,
} from './sessionsToCome';

/**
 * Where the reminders of more sessions are due, one list costs less than to read each of them. Where it fails, so many are read alone: a lone trigger has
 * five requests in 67 minutes (`allowance.ts`).
 */
const mostDueReadAlone = 5;

/**
 * At most so many sessions that the list does not show are read alone in one poll. The others are looked at after the next list. A lone trigger has
 * ten requests in 134 minutes (`allowance.ts`).
 */
const mostUnlistedReadAlone = 10;

/** What a poll reads of the schedule. */
export interface ScheduleWork extends DueWork {
	step: ScheduleStep;
}

interface ScheduleScope extends ScheduleWork {
	token: string;
	/** Absent: the poll reads no lists. */
	listInView?: ListInView;
}

/** What a poll has read of the schedule so far. */
interface ReadSoFar {
	read: ReadSessions;
	/** When the list was read that is news to the trigger. Absent: there is none. */
	listedAt?: Seconds;
}

interface ScheduleNews {
	/** The oldest first. */
	news: ListedEvent[];
	/** The schedule to store when the news have started their run. Absent: no response has told when it begins. */
	next?: Schedule;
}

/** Finds the reminders that are due and the changes, as many as one run can take. `stored`: absent at the first poll. */
export async function pollSchedule(
	context: PollContext,
	stored: Schedule | undefined,
	scope: ScheduleScope,
): Promise<ScheduleNews> {
	const { search, time, failures } = context;
	const result: ReadSoFar = { read: new Map() };
	const failuresBefore = failures.length;
	try {
		await readSchedule(context, scope, result);
	} catch (error) {
		failures.push(asFailure(error));
	}
	const { read, listedAt } = result;
	// By now a response has told the platform's time, by which a new schedule begins.
	const now = time.nowSeconds;
	const { trouble: before, ...schedule } = beginSchedule(stored, search, now);
	const { news, next } = takeScheduleNews(schedule, read, listedAt, search, now);
	if (stored === undefined && !time.hasResponded) return { news };
	const hasFailed = failures.length > failuresBefore;
	const tried = hasFailed ? troubleAt(now, before) : before;
	// Trouble ends when nothing that was due is unread. A list that is news may have shown it. Without such a list each failure prolongs the
	// trouble, also in a poll that asked for none.
	const lacksList = hasFailed && listedAt === undefined;
	const isFailing = tried && (lacksList || hasUnread(next, read, search, tried.triedAt));
	return { news, next: { ...next, trouble: isFailing ? tried : undefined } };
}

/**
 * A session whose reminder was due when something was last tried has not been read. The list may have shown one that could not be read
 * alone, and what has become due since then was not tried.
 */
function hasUnread(
	schedule: Schedule,
	read: ReadSessions,
	search: Search,
	triedAt: Seconds,
): boolean {
	const due = findDueReminders(schedule, leadsOf(search), triedAt);
	return due.some(({ sessionId }) => !read.has(sessionId));
}

/** Reads the sessions whose reminder is due, the list, and what the list lacks. Adds to `result`, so that what was read before a failure is kept. */
async function readSchedule(
	context: PollContext,
	{ step, schedule, dueIds, token, listInView }: ScheduleScope,
	result: ReadSoFar,
): Promise<void> {
	const { search, time } = context;
	const patient = asPatientReading(context, schedule);
	// The session of the filter is the whole list.
	const isListCheaper = dueIds.size > mostDueReadAlone || search.filters.sessionId !== undefined;
	const aloneIds = isListCheaper ? new Set<string>() : dueIds;
	// Reminders cannot wait. One that takes all the time keeps out no other, because they come in any order.
	await readEach(patient, token, inAnyOrder(aloneIds), result.read);
	const needsList = step === 'list' || (isListCheaper && dueIds.size > 0);
	if (needsList) await context.tryToRead(listToCome(patient, token, listInView));
	const known = findListToCome(token, search)?.result;
	if (known && isNewTo(schedule, known, time.nowSeconds)) {
		await context.tryToRead(takeListed(context, known, result));
		// As a failure it waits. Otherwise each poll would read as many events again, whatever they cost.
		if (result.listedAt === undefined && time.outOfTime) context.keepFailure(time.outOfTime);
	}
	if (context.hasEnded()) return;
	if (result.listedAt !== undefined) {
		const isMissing = (id: string) => !result.read.has(id) && !aloneIds.has(id);
		const due = inAnyOrder(dueIds).filter(isMissing).slice(0, mostUnlistedReadAlone);
		await readEach(patient, token, due, result.read);
		// A list may leave out what was canceled. That can wait for the next list.
		const planned = tells('change', search) ? plannedIds(schedule, result.listedAt) : [];
		const isOther = (id: string) => isMissing(id) && !dueIds.has(id);
		const others = inAnyOrder(planned).filter(isOther);
		await readEach(
			context,
			token,
			others.slice(0, mostUnlistedReadAlone - due.length),
			result.read,
		);
	} else if (dueIds.size > mostDueReadAlone) {
		// The list that was to show them could not be taken. The others come with the next polls.
		const due = inAnyOrder(dueIds).slice(0, mostDueReadAlone);
		await readEach(patient, token, due, result.read);
	}
}

/** Takes what a list shows that is news to the trigger. */
async function takeListed(
	context: PollContext,
	{ sessions, listedAt }: KnownSessions,
	result: ReadSoFar,
): Promise<void> {
	const within = await ofFilters(context, sessions);
	result.listedAt = listedAt;
	// What was read alone is newer than a list that was read before this poll. One that was read in it says the same, but for the seconds in between.
	for (const session of within)
		if (!result.read.has(session.id)) result.read.set(session.id, session);
}

/**
 * The next poll may come after the start, so that a passing failure must not be the last word. In an outage it would be four requests
 * each time, so that what has failed before is sent once.
 */
function asPatientReading(context: PollContext, { trouble }: Schedule): PollContext {
	if (trouble) return context;
	const ask: Ask = (request) => context.ask({ ...request, retry: 'idempotent' });
	return { ...context, ask, isPatient: true };
}

function inAnyOrder(ids: Iterable<string>): string[] {
	const drawn = [...ids].map((id) => ({ id, place: Math.random() }));
	return drawn.sort((first, second) => first.place - second.place).map(({ id }) => id);
}

async function readEach(
	context: PollContext,
	token: string,
	ids: readonly string[],
	read: ReadSessions,
): Promise<void> {
	for (const id of ids) {
		if (context.limits.isTimeOver()) return;
		const session = await context.tryToRead(readWithinFilters(context, token, id));
		if (session) read.set(id, session === 'left out' ? undefined : session);
	}
}

/** Sessions that a list does not show any more, and that were to start. */
function plannedIds({ plans }: Schedule, nowSeconds: Seconds): string[] {
	return Object.entries(plans)
		.filter(([, { state, startsAt }]) => state === 'planned' && startsAt > nowSeconds)
		.map(([id]) => id);
}

/** Reads one session; `left out` where the platform does not know it, or by the filters. */
async function readWithinFilters(
	context: PollContext,
	token: string,
	id: string,
): Promise<DeliveredRecord | 'left out'> {
	const session = await readToCome(context, token, id);
	const [within] = await ofFilters(context, session ? [session] : []);
	return within ?? 'left out';
}

export async function ofFilters(
	context: PollContext,
	sessions: readonly DeliveredRecord[],
): Promise<DeliveredRecord[]> {
	const [eventType = ''] = scheduleTypes(context.search.eventTypes);
	const { filters } = context.search;
	return await ofTitle(
		context,
		sessions.filter((record) => isWithinFilters({ eventType, record }, filters)),
	);
}
