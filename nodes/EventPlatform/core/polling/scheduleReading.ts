/*
 * The events of the clock: a session starts soon, and a session was changed. A list shows the sessions to come, each 15 to 60 minutes. In between
 * nothing is asked until a reminder is due; its session is then read, because it may have been moved or canceled.
 *
 * Nothing that is remembered goes by one word of the platform, for a gateway may have said it:
 *
 *   a session that the platform does not know   is `doubtful`, keeps its reminders, and is read again; it goes when it is not known a second
 *                                               time, or a list lacks it (planOfMissing, endDoubts)
 *   a list that is refused without words        is no news to a trigger that knows sessions, and they are read alone; it is tried again
 *                                               the later, the longer it is refused (refusedSinceMs, refusedSince)
 */
import { asFailure } from '../client/failure';
import { largestPage } from '../client/pages';
import type { Query } from '../client/request';
import { scheduleTypes } from '../events/eventTypes';
import { isWithinFilters } from '../events/filters';
import type { DeliveredRecord } from '../records/record';
import type { Search } from './search';
import { goneIfNotFound, noneOrUnfiltered } from './askList';
import type { PollContext } from './pollContext';
import { findDueReminders } from './reminders';
import { beginSchedule, isListDue, listedBehindSeconds, planOf, type Schedule } from './schedule';
import {
	takeScheduleNews,
	leadsOf,
	spanOf,
	tells,
	type PolledSchedule,
	type ReadSessions,
} from './scheduleNews';
import {
	listFrom,
	listUnfiltered,
	readOneSession,
	readTitles,
	sessionsPathOf,
	type FilteredSessions,
} from './sessions';
import { SessionsToCome, type KnownSessions, type ListKey } from './sessionsToCome';
import type { Ms, Seconds } from '../values/units';

/** Where more are due, one list costs less than to read each session. */
const mostReadAlone = 5;

/** One poll reads at most so many alone that the list does not show. The others are looked at after the next list. */
const mostMissing = 10;

/** What a poll asks for: the list of the sessions to come, or only the sessions whose reminder is due. */
export type ScheduleStep = 'list' | 'reminders';

const toCome = new SessionsToCome();
const processStartedAtMs = Date.now();

/** The facts that decide what there is to ask for. */
export interface DueSchedule {
	stored?: Schedule;
	search: Search;
	token: string;
	/** How far our clock is ahead of the platform's. */
	aheadSeconds: Seconds;
}

/** What there is to ask for, as it is found before anything is asked. */
interface DueWork {
	/** The schedule by which it is due. */
	schedule: Schedule;
	/** The sessions whose reminder is due. */
	dueIds: ReadonlySet<string>;
}

/** Finds what there is to ask for. `steps`: each is reason enough to poll, the most important one first. */
export function findDueWork(
	{ stored, search, token, aheadSeconds }: DueSchedule,
	nowMs: Ms,
): DueWork & { steps: ScheduleStep[] } {
	const ourNowSeconds = Math.floor(nowMs / 1_000);
	const nowSeconds = ourNowSeconds - aheadSeconds;
	const schedule = beginSchedule(stored, search, nowSeconds);
	if (scheduleTypes(search.eventTypes).length === 0)
		return { steps: [], schedule, dueIds: new Set() };
	const shared = findKnown(token, search);
	toCome.need(keyOf(token, search), spanOf(search), nowMs);
	const isKnown = shared !== undefined && !search.isActivated;
	const times = {
		ourNowSeconds,
		startedAtMs: processStartedAtMs,
		readAt: isKnown ? Math.floor(shared.readAtMs / 1_000) : undefined,
		refusedSince: shared && refusedSince(shared, schedule, nowSeconds),
	};
	const steps: ScheduleStep[] = [];
	if (isListDue(schedule, leadsOf(search), nowSeconds, times)) steps.push('list');
	const isNews = shared !== undefined && isNewer(shared, schedule, nowSeconds);
	const due = findDueReminders(schedule, leadsOf(search), nowSeconds);
	if (isNews || due.length > 0) steps.push('reminders');
	return { steps, schedule, dueIds: new Set(due.map(({ sessionId }) => sessionId)) };
}

/** The cost of a list of the sessions to come, in requests, as far as it is known. */
export function listCost({ stored, token, search }: DueSchedule): number {
	const planned = Object.keys(stored?.plans ?? {}).length;
	// A platform that does not know the filter lists past sessions as well. A list that was refused shows none.
	const listed = findKnown(token, search)?.sessions.length ?? 0;
	return Math.max(1, Math.ceil(Math.max(planned, listed) / largestPage));
}

/** What a poll reads of the schedule. */
export interface ScheduleWork extends DueWork {
	step: ScheduleStep;
}

interface ScheduleReading extends ScheduleWork {
	token: string;
	/** The sessions that the lists of this poll look at; undefined where their list was refused without words. Absent: it reads no such list. */
	listInView?(this: void): Promise<readonly DeliveredRecord[] | undefined>;
}

/** What a poll has read of the schedule so far. */
interface ReadSchedule {
	read: ReadSessions;
	/** When the list was read that is news to the trigger. Absent: there is none. */
	listedAt?: Seconds;
	/** Nobody knows whether the filter lets these sessions through. */
	undecided: readonly DeliveredRecord[];
}

/** Finds the reminders that are due and the changes, as many as one run can take. `stored`: absent at the first poll. */
export async function pollSchedule(
	context: PollContext,
	stored: Schedule | undefined,
	scheduleReading: ScheduleReading,
): Promise<PolledSchedule> {
	const { search, time, failures } = context;
	const result: ReadSchedule = { read: new Map(), undecided: [] };
	const failuresBefore = failures.length;
	try {
		await readSchedule(context, scheduleReading, result);
	} catch (error) {
		failures.push(asFailure(error));
	}
	const { read, listedAt, undecided } = result;
	// By now a response has told the platform's time, by which a new schedule begins.
	const now = time.nowSeconds;
	const schedule = beginSchedule(stored, search, now);
	const failure = failures[failuresBefore];
	if (failure && read.size === 0 && listedAt === undefined && stored === undefined) throw failure;
	const { failing } = schedule;
	// Each of the undecided is read again when its reminder is due.
	const plans = { ...plansOf(undecided, search), ...schedule.plans };
	const current = { ...schedule, plans, failing: undefined };
	const { news, next } = takeScheduleNews(current, read, listedAt, search, now);
	const hasUnread = (dueAt: Seconds) =>
		findDueReminders(next, leadsOf(search), dueAt).some(({ sessionId }) => !read.has(sessionId));
	// The list may have shown what could not be read alone.
	if (failure && (listedAt === undefined || hasUnread(now)))
		return { news, next: { ...next, failing: { sinceAt: failing?.sinceAt ?? now, triedAt: now } } };
	// What has failed and was not tried this time waits as long as before. What has become due since then has not failed.
	return { news, next: failing && hasUnread(failing.triedAt) ? { ...next, failing } : next };
}

/** Reads the sessions whose reminder is due, the list, and what the list lacks. Adds to `result`, so that what was read before a failure is kept. */
async function readSchedule(
	context: PollContext,
	{ step, schedule, dueIds, token, listInView }: ScheduleReading,
	result: ReadSchedule,
): Promise<void> {
	const { search, time } = context;
	const patient = asPatientReading(context, schedule);
	const sharedBefore = findKnown(token, search);
	// The session of the filter is the whole list.
	const isListCheaper = dueIds.size > mostReadAlone || search.filters.sessionId !== undefined;
	const aloneIds = isListCheaper ? new Set<string>() : dueIds;
	// Reminders cannot wait. One that takes all the time keeps out no other, because they come in any order.
	await readEach(patient, token, inAnyOrder(aloneIds), result.read);
	if (step === 'list' || (isListCheaper && dueIds.size > 0))
		await context.tryToRead(listToCome(patient, token, listInView));
	const shared = findKnown(token, search);
	const isNews = shared !== undefined && isNewer(shared, schedule, time.nowSeconds);
	if (isNews) await takeListed(context, shared, result);
	// One that is refused may have nothing to show any more. What it leaves out is looked at when it was read, and not by each poll after that.
	const wasRefused = shared !== sharedBefore && shared?.refusedSinceMs !== undefined;
	if (isNews || wasRefused) {
		const listedAt = isNews ? shared.listedAt : time.nowSeconds;
		// A list may leave out what was canceled.
		const planned = tells('change', search) ? plannedIds(schedule, listedAt) : [];
		const wanted = [...new Set([...dueIds, ...inAnyOrder(planned)])];
		const missing = wanted.filter((id) => !result.read.has(id) && !aloneIds.has(id));
		await readEach(context, token, missing.slice(0, mostMissing), result.read);
	}
	if (isNews) endDoubts(result.read, shared.sessions);
}

/** Takes what a list shows that is news to the trigger. */
async function takeListed(
	context: PollContext,
	{ sessions, listedAt }: KnownSessions,
	result: ReadSchedule,
): Promise<void> {
	const { within, untitled } = await readFiltered(context, sessions);
	result.undecided = untitled;
	result.listedAt = listedAt;
	// What was read alone is newer than the list.
	for (const session of within)
		if (!result.read.has(session.id)) result.read.set(session.id, session);
}

/**
 * The next poll may come after the start, so that a passing failure must not be the last word. In an outage it would be four requests
 * each time, so that what has failed before is sent once.
 */
function asPatientReading(context: PollContext, { failing }: Schedule): PollContext {
	if (failing) return context;
	return { ...context, ask: (request) => context.ask({ ...request, retry: 'idempotent' }) };
}

function inAnyOrder(ids: Iterable<string>): string[] {
	return [...ids].sort(() => Math.random() - 0.5);
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

/** What the platform does not know and the list lacks as well is gone. */
function endDoubts(read: ReadSessions, listed: readonly DeliveredRecord[]): void {
	const listedIds = new Set(listed.map(({ id }) => id));
	for (const [id, session] of read)
		if (session === 'missing' && !listedIds.has(id)) read.set(id, undefined);
}

/** Lists the sessions to come, for all triggers of the token. The lists of this poll show them as well. */
async function listToCome(
	context: PollContext,
	token: string,
	listInView: ScheduleReading['listInView'],
): Promise<void> {
	const { search, time } = context;
	const key = keyOf(token, search);
	await toCome.list(key, spanOf(search), async () => {
		const spanSeconds = listInView ? Infinity : toCome.widestSpan(key);
		const sessions = await (listInView?.() ?? listSchedule(context, time.nowSeconds + spanSeconds));
		const { nowSeconds: listedAt, ourNowMs: readAtMs } = time;
		const list = { sessions: sessions ?? [], spanSeconds, listedAt, readAtMs };
		if (sessions) return list;
		// Our clock may have been set back.
		const refusedSinceMs = Math.min(
			toCome.find(key, spanOf(search))?.refusedSinceMs ?? readAtMs,
			readAtMs,
		);
		return { ...list, refusedSinceMs };
	});
}

function keyOf(token: string, search: Search): ListKey {
	return { token, path: sessionsPathOf(search) };
}

/** The list of the workspace has the sessions of an event, too. */
function findKnown(token: string, search: Search): KnownSessions | undefined {
	const { sessionId, ...others } = search.filters;
	const key = keyOf(token, search);
	const all = keyOf(token, { ...search, filters: { ...others, eventId: undefined } });
	const keys = sessionId === undefined ? [key, all] : [key];
	const shared = keys.flatMap((each) => toCome.find(each, spanOf(search)) ?? []);
	return shared.sort((first, second) => second.readAtMs - first.readAtMs)[0];
}

/** A list is news to a trigger that has not seen it. A clock that was ahead may have been set right since the last one. */
function isNewer(shared: KnownSessions, schedule: Schedule, nowSeconds: Seconds): boolean {
	const { listedAt } = shared;
	if (refusedSince(shared, schedule, nowSeconds) !== undefined) return false;
	return (
		listedAt > schedule.listedAt ||
		(listedAt !== schedule.listedAt && schedule.listedAt > nowSeconds)
	);
}

/**
 * A list that was refused without words counts as refused for a trigger that knows sessions to come. For others it is empty: a platform may refuse an
 * empty list so each time.
 */
function refusedSince(
	{ refusedSinceMs }: KnownSessions,
	{ plans }: Schedule,
	nowSeconds: Seconds,
): Seconds | undefined {
	const knowsSessions = Object.values(plans).some(({ startsAt }) => startsAt > nowSeconds);
	const isRefused = refusedSinceMs !== undefined && knowsSessions;
	return isRefused ? Math.floor(refusedSinceMs / 1_000) : undefined;
}

function plansOf(sessions: readonly DeliveredRecord[], search: Search): Schedule['plans'] {
	const plans = sessions.flatMap((session) => {
		const plan = planOf(session, tells('change', search));
		return plan ? [[session.id, plan] as const] : [];
	});
	return Object.fromEntries(plans);
}

/** Sessions that a list does not show any more, and that were to start. */
function plannedIds({ plans }: Schedule, nowSeconds: Seconds): string[] {
	return Object.entries(plans)
		.filter(([, { state, startsAt }]) => state === 'planned' && startsAt > nowSeconds)
		.map(([id]) => id);
}

/** Reads one session. Where the filter cannot be tried, because its event cannot be read, neither can the session. */
async function readWithinFilters(
	context: PollContext,
	token: string,
	id: string,
): Promise<DeliveredRecord | 'left out' | 'missing'> {
	const { ask, time } = context;
	const read = () =>
		readOneSession(ask, id)
			.catch(goneIfNotFound)
			.then((session) => (session === 'gone' ? undefined : session));
	const session = await toCome.readAlone(token, id, time.ourNowMs, read);
	if (session === undefined) return 'missing';
	const { within } = await readFiltered({ ...context, tryToRead: (each) => each }, [session]);
	return within[0] ?? 'left out';
}

/** Lists the sessions to come, and those that have begun lately; undefined where the list is refused without words. */
export async function listSchedule(
	context: PollContext,
	untilAt: Seconds,
): Promise<DeliveredRecord[] | undefined> {
	const { ask, search, time } = context;
	const { sessionId } = search.filters;
	if (sessionId !== undefined) {
		const session = await readOneSession(ask, sessionId);
		return session ? [session] : [];
	}
	const query: Query = {
		'filter[date_from]': time.nowSeconds - listedBehindSeconds,
		...(untilAt < Infinity && { 'filter[date_to]': untilAt }),
	};
	const listed = await listFrom(context, query).catch(noneOrUnfiltered);
	return listed ?? (await listUnfiltered(context));
}

export async function readFiltered(
	context: PollContext,
	sessions: readonly DeliveredRecord[],
): Promise<FilteredSessions> {
	const [eventType = ''] = scheduleTypes(context.search.eventTypes);
	const within = sessions.filter((record) =>
		isWithinFilters({ eventType, record }, context.search.filters),
	);
	return await readTitles(context, within);
}
