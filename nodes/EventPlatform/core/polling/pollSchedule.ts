/*
 * The events of the clock: a session starts soon, and a session was changed. One list an hour shows the sessions to come. In between
 * the next start is known, and nothing is asked until it is due; its session is then read, because it may have been moved or canceled.
 *
 *   schedule.ts        what is remembered until the next poll
 *   scheduleNews.ts    what is told of the sessions that were read
 *   dueStarts.ts       which starts are due
 *   sessionChanges.ts  what has changed about a session
 */
import { asFailure, type Failure } from '../client/failure';
import { largestPage } from '../client/pages';
import { withPlatformClock } from '../client/quota';
import type { Ask, Query } from '../client/request';
import { scheduleTypes, type ListedEvent } from '../events/eventTypes';
import { isWithinFilters } from '../events/filters';
import type { DeliveredRecord } from '../records/record';
import { daySeconds, mostEventsInRun, type PollLimits, type Search } from './cursor';
import { findDueStarts, dueStartOf, type DueStart } from './dueStarts';
import {
	compareTimes,
	goneIfNotFound,
	requireMaybeNothing,
	tryToReadInto,
	type Round,
} from './round';
import { beginSchedule, isListDue, planOf, type PlannedSession, type Schedule } from './schedule';
import {
	changeEvent,
	findScheduleNews,
	horizonOf,
	leadsOf,
	startEvent,
	tells,
	type ReadSessions,
	type ScheduleNews,
} from './scheduleNews';
import { keepTitlesOfFilter, listFrom, readOneSession } from './sessions';

/** One poll reads at most so many sessions because the list does not show them any more, or could not be read: a list of 500 sessions costs as much. */
const mostMissing = 10;

/** What a poll asks for: the list of the sessions to come, or only the sessions whose start is due. */
export type ScheduleStep = 'list' | 'starts';

/** The schedule, and what there is to ask for. */
export interface DueSchedule {
	steps: ScheduleStep[];
	/** The schedule to store although nothing is asked: with another search it begins now, even where its list has to wait. */
	next?: Schedule;
}

/** Finds what there is to ask for, before anything is asked. `nowMs`: the time by our clock, in milliseconds. */
export function findDueSteps(
	stored: Schedule | undefined,
	search: Search,
	nowMs: number,
): DueSchedule {
	const nowSeconds = Math.floor(nowMs / 1_000) - (stored?.clockAheadSeconds ?? 0);
	const schedule = beginSchedule(stored, search, nowSeconds);
	// One that nothing was stored of begins by the platform's clock, which no response has told yet.
	const next = stored && schedule;
	if (scheduleTypes(search.eventTypes).length === 0) return { steps: [], next };
	const steps: ScheduleStep[] = [];
	if (isListDue(schedule, nowSeconds)) steps.push('list');
	if (findDueStarts(schedule, leadsOf(search), nowSeconds).length > 0) steps.push('starts');
	return { steps, next };
}

export interface PolledSchedule extends ScheduleNews {
	/** The failures of what could not be read. It is read again by the next poll. */
	failures: Failure[];
}

/** Finds the starts that are due and the changes, as many as one run can take. */
export async function pollSchedule(
	ask: Ask,
	stored: Schedule | undefined,
	search: Search,
	ourClockMs: () => number,
	{ isTimeOver, step }: Pick<PollLimits, 'isTimeOver'> & { step: ScheduleStep },
): Promise<PolledSchedule> {
	const platform = withPlatformClock(ask, ourClockMs);
	let clockAheadSeconds = stored?.clockAheadSeconds ?? 0;
	const api: Ask = async (request) => {
		const response = await platform.ask(request);
		clockAheadSeconds = Math.round(platform.clock.aheadMs / 1_000);
		return response;
	};
	const nowSeconds = () => Math.floor(ourClockMs() / 1_000) - clockAheadSeconds;
	const failures: Failure[] = [];
	const source = { api, search, tryToRead: tryToReadInto(failures), isTimeOver };
	const before = beginSchedule(stored, search, nowSeconds());
	const read: ReadSessions = { sessions: new Map(), unreadIds: new Set() };
	await readSessions(source, before, step, nowSeconds(), read).catch((error: unknown) => {
		const failure = asFailure(error);
		// What was read before is told all the same, and what could not be read is not asked for in each poll. A session that takes all
		// the time keeps out no other.
		if (failure.cause !== 'time_over') addUnread(dueIdsOf(before, search, nowSeconds()), read);
		if (read.sessions.size + read.unreadIds.size === 0) throw failure;
		failures.push(failure);
	});
	// By now a response has told the platform's time, by which a new schedule begins.
	const schedule = beginSchedule(stored, search, nowSeconds());
	const { news, next } = findScheduleNews(schedule, read, search, nowSeconds(), mostEventsInRun);
	return { news, failures, next: { ...next, clockAheadSeconds } };
}

interface Source extends Pick<Round, 'api' | 'search' | 'tryToRead'> {
	isTimeOver(this: void): boolean;
}

/**
 * Reads the sessions whose start is due, because they cannot wait, and then the list of sessions. Where more are due than the list has
 * pages, the list costs less.
 */
async function readSessions(
	source: Source,
	schedule: Schedule,
	step: ScheduleStep,
	nowSeconds: number,
	read: ReadSessions,
): Promise<void> {
	const { search, tryToRead } = source;
	const dueIds = dueIdsOf(schedule, search, nowSeconds);
	const isListCheaper = dueIds.size > schedule.pages;
	if (!isListCheaper) await readEach(source, [...dueIds], read);
	if (step === 'starts' && !isListCheaper) return;
	const hasTried = read.sessions.size + read.unreadIds.size > 0;
	if (search.filters.sessionId !== undefined && hasTried) {
		// The session of the filter is the whole list.
		if (read.sessions.size > 0) read.list = { listedAt: nowSeconds, pages: 1 };
		return;
	}
	const untilAt = horizonOf(search, nowSeconds);
	const listed = await tryToRead(listSchedule(source, schedule.listedAt, nowSeconds, untilAt));
	for (const session of listed ?? []) read.sessions.set(session.id, session);
	if (listed) {
		const pages = Math.max(1, Math.ceil(listed.length / largestPage));
		read.list = { listedAt: nowSeconds, pages };
	}
	const wantedIds = listed ? missingIds(schedule, search, nowSeconds, dueIds) : [...dueIds];
	const missing = wantedIds.filter((id) => !read.sessions.has(id) && !read.unreadIds.has(id));
	await readEach(source, missing.slice(0, mostMissing), read);
}

/** Sessions that were not tried yet come first, so that those that cannot be read keep out no other. */
function dueIdsOf(schedule: Schedule, search: Search, nowSeconds: number): Set<string> {
	const due = findDueStarts(schedule, leadsOf(search), nowSeconds);
	const triedAt = ({ sessionId }: DueStart) => schedule.sessions[sessionId]?.triedAt;
	due.sort((first, second) => compareTimes(triedAt(first), triedAt(second)));
	return new Set(due.map(({ sessionId }) => sessionId));
}

function addUnread(ids: Iterable<string>, { sessions, unreadIds }: ReadSessions): void {
	for (const id of ids) if (!sessions.has(id)) unreadIds.add(id);
}

/** Reads sessions one by one, until the time is over. */
async function readEach(
	source: Source,
	ids: readonly string[],
	{ sessions, unreadIds }: ReadSessions,
): Promise<void> {
	for (const id of ids) {
		if (source.isTimeOver()) return;
		unreadIds.add(id);
		const session = await source.tryToRead(readWithinFilters(source, id));
		if (session === undefined) continue;
		unreadIds.delete(id);
		sessions.set(id, session === 'none' ? undefined : session);
	}
}

/** Reads one session. Where the filter cannot be tried, because its event cannot be read, neither can the session. */
async function readWithinFilters(source: Source, id: string): Promise<DeliveredRecord | 'none'> {
	const session = await readOneSession(source.api, id).catch(goneIfNotFound);
	if (session === undefined || session === 'gone') return 'none';
	const orThrow = { ...source, tryToRead: <T>(reading: Promise<T>) => reading };
	const [within] = await keepWithinFilters(orThrow, [session]);
	return within ?? 'none';
}

/**
 * Sessions that are due, and those whose changes are told, are read where the list does not show them. What was read or tried longest
 * ago comes first, so that each of them has its turn.
 */
function missingIds(
	{ sessions }: Schedule,
	search: Search,
	nowSeconds: number,
	dueIds: ReadonlySet<string>,
): string[] {
	const planned = Object.entries(sessions).filter(
		([, { state, startsAt = 0 }]) => state === 'planned' && startsAt > nowSeconds,
	);
	const lastAt = ({ triedAt, readAt }: PlannedSession) => triedAt ?? readAt;
	planned.sort(([, first], [, second]) => compareTimes(lastAt(first), lastAt(second)));
	const changed = tells('change', search) ? planned.map(([id]) => id) : [];
	return [...new Set([...dueIds, ...changed])];
}

/** Lists the sessions to come, and those whose start has passed since the last list, because they may have been moved or canceled before. */
async function listSchedule(
	source: Source,
	listedAt: number,
	nowSeconds: number,
	untilAt: number,
): Promise<DeliveredRecord[]> {
	const { api, search } = source;
	const { sessionId } = search.filters;
	if (sessionId !== undefined) {
		const session = await readOneSession(api, sessionId);
		return await keepWithinFilters(source, session ? [session] : []);
	}
	const query: Query = {
		'filter[date_from]': Math.min(nowSeconds, Math.max(listedAt, nowSeconds - daySeconds)),
		...(untilAt < Infinity && { 'filter[date_to]': untilAt }),
	};
	const listed = await listFrom(source, query).catch(requireMaybeNothing);
	return await keepWithinFilters(source, listed ?? (await listFrom(source, {})));
}

async function keepWithinFilters(
	source: Source,
	sessions: DeliveredRecord[],
): Promise<DeliveredRecord[]> {
	const { filters } = source.search;
	const [eventType = ''] = scheduleTypes(source.search.eventTypes);
	const within = sessions.filter((record) => isWithinFilters({ eventType, record }, filters));
	return await keepTitlesOfFilter(source, within);
}

/** Finds the session that starts next, with the lead time whose moment comes next, for a test in the editor. */
export async function findNextStart(
	api: Ask,
	search: Search,
	nowSeconds: number,
): Promise<ListedEvent | undefined> {
	if (scheduleTypes(search.eventTypes).length === 0) return undefined;
	const source: Source = { api, search, tryToRead: (reading) => reading, isTimeOver: () => false };
	const sessions = await listSchedule(source, 0, nowSeconds, Infinity);
	const [next] = sessions
		.map((session) => ({ session, plan: planOf(session, true) }))
		.filter(({ plan }) => plan.state === 'planned' && (plan.startsAt ?? 0) > nowSeconds)
		.sort((first, second) => compareTimes(first.plan.startsAt, second.plan.startsAt));
	if (next === undefined) return undefined;
	const { session, plan } = next;
	const moments = leadsOf(search)
		.flatMap((lead) => dueStartOf(session.id, plan, lead) ?? [])
		.sort((first, second) => first.dueAt - second.dueAt);
	const start = moments.find(({ dueAt }) => dueAt >= nowSeconds) ?? moments.at(-1);
	return start
		? startEvent(search, session, start, nowSeconds)
		: changeEvent(search, session, { before: plan, after: plan }, nowSeconds);
}
