/*
 * The events of the clock: a session starts soon, and a session was changed. One list an hour shows the sessions to come. In between
 * the next start is known, and nothing is asked until it is due; its session is then read, because it may have been moved or canceled.
 *
 *   schedule.ts        what is remembered until the next poll
 *   scheduleNews.ts    what is told of the sessions that were read
 *   dueStarts.ts       which starts are due
 *   sessionChanges.ts  what has changed about a session
 */
import type { Failure } from '../client/failure';
import { largestPage } from '../client/pages';
import { withPlatformClock } from '../client/quota';
import type { Ask, Query } from '../client/request';
import { scheduleTypes, type ListedEvent } from '../events/eventTypes';
import { isWithinFilters } from '../events/filters';
import type { DeliveredRecord } from '../records/record';
import { daySeconds, mostEventsInRun, type PollLimits, type Search } from './cursor';
import { findDueStarts, dueStartOf } from './dueStarts';
import {
	compareTimes,
	goneIfNotFound,
	requireMaybeNothing,
	tryToReadInto,
	type Round,
} from './round';
import { beginSchedule, isListDue, planOf, type Schedule } from './schedule';
import {
	changedEvent,
	findScheduleNews,
	horizonOf,
	leadsOf,
	startEvent,
	tells,
	type ReadSessions,
	type ScheduleNews,
} from './scheduleNews';
import { keepTitlesOfFilter, listFrom, readOneSession } from './sessions';

/** One poll reads at most so many sessions for no other reason than that the list does not show them any more. */
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
	const read = await readSessions(source, before, step, nowSeconds());
	// By now a response has told the platform's time, by which a new schedule begins.
	const schedule = beginSchedule(stored, search, nowSeconds());
	const { news, next } = findScheduleNews(schedule, read, search, nowSeconds(), mostEventsInRun);
	return { news, failures, next: { ...next, clockAheadSeconds } };
}

interface Source extends Pick<Round, 'api' | 'search' | 'tryToRead'> {
	isTimeOver(this: void): boolean;
}

/** Reads the list of sessions, or the sessions whose start is due. Where more are due than the list has pages, the list costs less. */
async function readSessions(
	source: Source,
	schedule: Schedule,
	step: ScheduleStep,
	nowSeconds: number,
): Promise<ReadSessions> {
	const { api, search, tryToRead, isTimeOver } = source;
	const due = findDueStarts(schedule, leadsOf(search), nowSeconds);
	const dueIds = new Set(due.map(({ sessionId }) => sessionId));
	const isListed = step === 'list' || dueIds.size > schedule.pages;
	const untilAt = horizonOf(search, nowSeconds);
	const listed = isListed
		? await tryToRead(listSchedule(source, schedule.listedAt, nowSeconds, untilAt))
		: undefined;
	const sessions = new Map<string, DeliveredRecord | undefined>(
		listed?.map((session) => [session.id, session]),
	);
	const wantedIds = listed
		? missingIds(schedule, search, nowSeconds, dueIds).filter((id) => !sessions.has(id))
		: dueIds;
	for (const id of [...wantedIds].slice(0, listed ? mostMissing : Infinity)) {
		if (isTimeOver()) break;
		const session = await tryToRead(readOneSession(api, id).catch(goneIfNotFound));
		if (session === undefined) continue;
		const [within] = session === 'gone' ? [] : await keepWithinFilters(source, [session]);
		sessions.set(id, within);
	}
	const pages = Math.max(1, Math.ceil((listed?.length ?? 0) / largestPage));
	return { sessions, list: listed && { listedAt: nowSeconds, pages } };
}

/** Sessions that are due, and those whose changes are told, are read where the list does not show them. */
function missingIds(
	{ sessions }: Schedule,
	search: Search,
	nowSeconds: number,
	dueIds: ReadonlySet<string>,
): string[] {
	const planned = Object.entries(sessions).filter(
		([, { state, startsAt = 0 }]) => state === 'planned' && startsAt > nowSeconds,
	);
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
		: changedEvent(search, session, plan, nowSeconds, []);
}
