import type { Cause } from '../client/cause';
import { Failure } from '../client/failure';
import { largestPage, readPages } from '../client/pages';
import { pathTo } from '../client/path';
import type { Ask, Query } from '../client/request';
import type { JsonObject } from '../values/json';
import { parseSeconds, plannedStart } from '../dialect/time';
import { listableTypes, listPaths, typesOfContent } from '../events/eventTypes';
import { fitsTitle } from '../events/filters';
import { idOf, readDelivered, type DeliveredRecord } from '../records/record';
import { isOpen, sessionStatus } from '../sessions/phase';
import { askForSession, readEventOf, withEvent, withEventBeside } from '../sessions/readSession';
import { withEventFacts } from '../events/sessionFacts';
import { daySeconds, searchKey, viewOf, type SessionsView } from './cursor';
import { goneIfNotFound, requireMaybeNothing, type Round } from './round';

/** The sessions that a poll looks at, and the facts about them that the next poll needs. */
export interface SessionsInView {
	/** The sessions, with the title of their event where the filter needs it. */
	sessions: DeliveredRecord[];
	/** The view that decides how the next poll lists the sessions. Absent: it lists all of them. */
	view?: SessionsView;
	/** The ids of sessions that are open, or could not be read. */
	openIds: string[];
}

/** The sessions that were listed, whether or not the poll looks at them. */
interface SessionList {
	sessions: DeliveredRecord[];
	unreadIds: string[];
	/** The view that decides how the next poll lists the sessions. */
	view: SessionsView;
}

/** The times of a session. People may have registered for it until the latest of them. */
function lastTimesOf({ attributes }: DeliveredRecord): Array<number | undefined> {
	const { ended_at, canceled_at, created_at } = attributes;
	return [
		...[ended_at, canceled_at, created_at].map((time) => parseSeconds(time)),
		plannedStart(attributes),
	];
}

/** Reads the sessions that are not over, those that ended lately, and those about which something is still to be read. */
export async function readSessionsInView(round: Round): Promise<SessionsInView> {
	const { api, cursor, search } = round;
	const { sessionId } = search.filters;
	const openIds = cursor.openSessionIds ?? [];
	if (!needsSessions(search.eventTypes)) {
		return { sessions: [], view: cursor.view, openIds };
	}
	if (sessionId !== undefined) {
		const session = await readOneSession(api, sessionId);
		const sessions = session ? [session] : [];
		const withTitle = await keepTitlesOfFilter(round, sessions);
		return { sessions: withTitle, view: cursor.view, openIds };
	}
	const { sessions, unreadIds, view } = await listSessions(round);
	const oldestAt = oldestInViewAt(round);
	const isRecent = (session: DeliveredRecord) =>
		lastTimesOf(session).some((time = 0) => time >= oldestAt);
	const recent = sessions.filter(
		(session) => isOpen(session.attributes) || isRecent(session) || openIds.includes(session.id),
	);
	const inView = await keepTitlesOfFilter(round, recent);
	const openNowIds = inView.filter(({ attributes }) => isOpen(attributes)).map(({ id }) => id);
	return { sessions: inView, view, openIds: [...openNowIds, ...unreadIds] };
}

export function needsSessions(eventTypes: readonly string[]): boolean {
	const recordTypes = ['sessions', 'people', ...typesOfContent];
	return recordTypes.some((recordType) => listableTypes(eventTypes, recordType).length > 0);
}

/** Keeps the sessions whose event has a title that the filter asks for. Where a session came without its event, the event is read. */
export async function keepTitlesOfFilter(
	{ api, tryToRead, search }: Pick<Round, 'api' | 'tryToRead' | 'search'>,
	sessions: DeliveredRecord[],
): Promise<DeliveredRecord[]> {
	if (search.filters.eventTitleContains === undefined) return sessions;
	const events = new Map<string | undefined, Promise<JsonObject | undefined>>();
	const sessionsWithTitle = sessions.map(async (session) => {
		if ('event_title' in session.attributes) return session;
		const eventId = idOf('event', session);
		const reading = events.get(eventId) ?? tryToRead(readEventOf(api, session));
		events.set(eventId, reading);
		return readDelivered(withEventFacts({ session, event: await reading })) ?? session;
	});
	const allSessions = await Promise.all(sessionsWithTitle);
	return allSessions.filter(({ attributes }) => fitsTitle(attributes.event_title, search.filters));
}

/**
 * Lists all sessions once a day, or in every poll where that costs no more than the parts. In between it lists the parts: the
 * sessions planned to start lately or later, those on demand, and each other one that was open. The platform can only filter by the planned start,
 * which leaves out sessions that have none or are live for days.
 */
async function listSessions(round: Round): Promise<SessionList> {
	const { cursor, search, nowSeconds } = round;
	const view = viewOf(cursor, search);
	const isDue = view === undefined || Math.abs(nowSeconds - view.listedAt) >= daySeconds;
	if (isDue || view.pages <= view.requestsInParts) return await listAll(round);
	const recent = { 'filter[date_from]': recentSinceAt(round) };
	const listed = await listFrom(round, recent).catch(requireMaybeNothing);
	if (!listed) return await listAll(round);
	// Sessions on demand may have been planned years ago, and people register for them all the time.
	const onDemand = view.hasOnDemand
		? await listFrom(round, { 'filter[status]': 'on_demand' }).catch(noneIfRefused)
		: [];
	const byId = new Map([...listed, ...onDemand].map((session) => [session.id, session]));
	const missing = (cursor.openSessionIds ?? []).filter((id) => !byId.has(id));
	// Where so many open sessions are missing, the platform filters in another way than the list of all sessions has shown.
	if (missing.length > view.pages) return await listAll(round);
	const unreadIds: string[] = [];
	for (const id of missing) {
		const session = await round.tryToRead(readOneSession(round.api, id).catch(goneIfNotFound));
		if (session === 'gone') continue;
		if (session === undefined) unreadIds.push(id);
		else byId.set(id, session);
	}
	return { sessions: [...byId.values()], unreadIds, view };
}

/** Lists all sessions, and decides how the next poll lists them. */
async function listAll(round: Round): Promise<SessionList> {
	const sessions = await listFrom(round, {});
	const onDemand = sessions.filter(isOnDemand).length;
	const recentFromAt = recentSinceAt(round);
	const readOneByOne = sessions.filter((session) => {
		const plannedAt = plannedStart(session.attributes);
		const isListed = plannedAt !== undefined && plannedAt >= recentFromAt;
		return isOpen(session.attributes) && !isOnDemand(session) && !isListed;
	});
	const view: SessionsView = {
		searchKey: searchKey(round.search),
		listedAt: round.nowSeconds,
		pages: Math.ceil(sessions.length / largestPage),
		requestsInParts: 1 + Math.ceil(onDemand / largestPage) + readOneByOne.length,
		hasOnDemand: onDemand > 0,
	};
	return { sessions, unreadIds: [], view };
}

function isOnDemand({ attributes }: DeliveredRecord): boolean {
	return sessionStatus(attributes) === 'on_demand';
}

/** A session may have ended while no poll took place, so that its days count from the last poll. */
function oldestInViewAt({ cursor, search, nowSeconds }: Round): number {
	return Math.min(nowSeconds, cursor.polledAt) - search.endedWithinDays * daySeconds;
}

/** A session may last a day, so that its planned start may be a day before the end from which on it is looked at. */
function recentSinceAt(round: Round): number {
	return Math.max(0, Math.floor(oldestInViewAt(round)) - daySeconds);
}

/** Lists sessions with the facts of their events: those of the event that people chose, or those of the workspace. */
export async function listFrom(
	{ api, search }: Pick<Round, 'api' | 'search'>,
	query: Query,
): Promise<DeliveredRecord[]> {
	const { eventId } = search.filters;
	const path = eventId === undefined ? listPaths.sessions : pathTo`/events/${eventId}/sessions`;
	const options = { query, addedQuery: withEvent };
	const sessions: DeliveredRecord[] = [];
	for await (const { records, beside } of readPages(api, path, options)) {
		for (const record of records) {
			const session = readDelivered(withEventFacts(withEventBeside(record, beside)));
			if (session) sessions.push(session);
		}
	}
	return sessions;
}

/** Reads one session with the facts of its event; undefined where its record has no id. */
export async function readOneSession(api: Ask, id: string): Promise<DeliveredRecord | undefined> {
	return readDelivered(withEventFacts(await askForSession(api, id)));
}

/** A platform refuses a filter in one of these ways, or says so that nothing passes it. Any other failure says nothing of the filter. */
const filterRefusals: readonly Cause[] = [
	'refused',
	'unprocessable',
	'not_found',
	'nothing_or_filter',
];

/** Where the platform refuses the filter, the sessions are read one by one. */
function noneIfRefused(error: unknown): DeliveredRecord[] {
	if (error instanceof Failure && filterRefusals.includes(error.cause)) return [];
	throw error;
}
