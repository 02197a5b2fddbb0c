import type { Cause } from '../client/cause';
import { Failure } from '../client/failure';
import { largestPage, readPages } from '../client/pages';
import { pathTo } from '../client/path';
import type { Ask, Query } from '../client/request';
import type { JsonObject } from '../values/json';
import { parseSeconds } from '../dialect/time';
import { listableTypes, listPaths, hasTitleOfFilter, typesOfContent } from '../events/eventTypes';
import { idOf, readDelivered, type DeliveredRecord } from '../records/record';
import { isOpen } from '../sessions/phase';
import { askForSession, withEvent, withEventBeside } from '../sessions/readSession';
import { readEventOf, withEventFacts } from '../events/sessionFacts';
import { askedForKey, daySeconds, viewOf, type SessionsView } from './cursor';
import { goneIfNotFound, type Round } from './round';

/** The sessions that a poll looks at, and what is remembered of them. */
export interface SessionsInView {
	sessions: DeliveredRecord[];
	view?: SessionsView;
	/** The ids of sessions that are open, or could not be read. */
	open: string[];
}

/** Sessions as they were listed, whether or not they are looked at. */
interface SessionList {
	sessions: DeliveredRecord[];
	/** The ids of sessions that could not be read. */
	unread: string[];
	view: SessionsView;
}

/** People may have registered until one of these times of the session. */
const lastTimes = ['ended_at', 'canceled_at', 'estimated_started_at', 'created_at'];

/** Finds the sessions that are not over, those that ended lately, and those of which something is still to be read. */
export async function sessionsInView(round: Round): Promise<SessionsInView> {
	const { api, cursor, search, now } = round;
	const { sessionId } = search.filters;
	const open = cursor.open ?? [];
	if (!needsSessions(search.eventTypes)) {
		return { sessions: [], view: cursor.view, open };
	}
	if (sessionId !== undefined) {
		const session = await readOneSession(api, sessionId);
		const sessions = session ? [session] : [];
		return { sessions: await withTitlesAskedFor(round, sessions), view: cursor.view, open };
	}
	const { sessions, unread, view } = await listSessions(round);
	// The days are counted from the last poll, so that no session is overlooked that ended while nothing polled.
	const oldestAt = Math.min(now, cursor.polledAt) - search.endedWithinDays * daySeconds;
	const isRecent = ({ attributes }: DeliveredRecord) =>
		lastTimes.some((name) => (parseSeconds(attributes[name]) ?? 0) >= oldestAt);
	const recent = sessions.filter(
		(session) => isOpen(session.attributes) || isRecent(session) || open.includes(session.id),
	);
	const inView = await withTitlesAskedFor(round, recent);
	const openNow = inView.filter(({ attributes }) => isOpen(attributes)).map(({ id }) => id);
	return { sessions: inView, view, open: [...openNow, ...unread] };
}

/** Whether one of these event types is found in the sessions or in what they have. */
export function needsSessions(eventTypes: readonly string[]): boolean {
	return listableTypes(eventTypes, 'sessions', 'people', ...typesOfContent).length > 0;
}

/** Picks the sessions whose event has a title that the filter asks for. Where a session came without its event, the event is read. */
async function withTitlesAskedFor(
	{ api, tryToRead, search }: Round,
	sessions: DeliveredRecord[],
): Promise<DeliveredRecord[]> {
	if (search.filters.eventTitleContains === undefined) return sessions;
	const events = new Map<string, Promise<JsonObject | undefined>>();
	const titled = sessions.map(async (session) => {
		if ('event_title' in session.attributes) return session;
		const eventId = idOf('event', session) ?? '';
		const reading = events.get(eventId) ?? tryToRead(readEventOf(api, { session }));
		events.set(eventId, reading);
		return readDelivered(withEventFacts({ session, event: await reading })) ?? session;
	});
	const all = await Promise.all(titled);
	return all.filter(({ attributes }) =>
		hasTitleOfFilter('session.created', attributes.event_title, search.filters),
	);
}

/**
 * All sessions are listed once a day, or in each poll where that costs no more than the parts: those planned to start
 * lately or later, those on demand, and each other one that was open. The platform can only filter by the planned start,
 * which leaves out sessions that have none or are live for days.
 */
async function listSessions(round: Round): Promise<SessionList> {
	const { cursor, search, now } = round;
	const view = viewOf(cursor, search);
	const isDue = view === undefined || Math.abs(now - view.listedAt) >= daySeconds;
	if (isDue || view.pages <= view.requestsInParts) return await listAll(round);
	const sessions = await listFrom(round, { 'filter[date_from]': recentSinceAt(round) });
	if (view.hasOnDemand) {
		// Sessions on demand may have been planned years ago, and people register for them all the time.
		const onDemand = await listFrom(round, { 'filter[status]': 'on_demand' }).catch(noneIfRefused);
		const listedIds = new Set(sessions.map(({ id }) => id));
		sessions.push(...onDemand.filter(({ id }) => !listedIds.has(id)));
	}
	const listedIds = new Set(sessions.map(({ id }) => id));
	const missing = (cursor.open ?? []).filter((id) => !listedIds.has(id));
	// Where so many are missing, the platform filters in another way than the list of all sessions has shown.
	if (missing.length > view.pages) return await listAll(round);
	const unread: string[] = [];
	for (const id of missing) {
		const session = await round.tryToRead(readOneSession(round.api, id).catch(goneIfNotFound));
		if (session === 'gone') continue;
		if (session === undefined) unread.push(id);
		else sessions.push(session);
	}
	return { sessions, unread, view };
}

async function listAll(round: Round): Promise<SessionList> {
	const sessions = await listFrom(round, {});
	const onDemand = sessions.filter(isOnDemand).length;
	const recentFromAt = recentSinceAt(round);
	const readOneByOne = sessions.filter((session) => {
		const plannedAt = parseSeconds(session.attributes.estimated_started_at) ?? 0;
		return isOpen(session.attributes) && !isOnDemand(session) && plannedAt < recentFromAt;
	});
	const view: SessionsView = {
		askedFor: askedForKey(round.search),
		listedAt: round.now,
		pages: Math.ceil(sessions.length / largestPage),
		requestsInParts: 1 + Math.ceil(onDemand / largestPage) + readOneByOne.length,
		hasOnDemand: onDemand > 0,
	};
	return { sessions, unread: [], view };
}

function isOnDemand({ attributes }: DeliveredRecord): boolean {
	return attributes.status === 'on_demand';
}

/** The planned start from which on a session is recent. A session may last a day. */
function recentSinceAt({ cursor, search, now }: Round): number {
	const oldestAt = Math.min(now, cursor.polledAt) - search.endedWithinDays * daySeconds;
	return Math.max(0, Math.floor(oldestAt) - daySeconds);
}

async function listFrom({ api, search }: Round, query: Query): Promise<DeliveredRecord[]> {
	const { eventId } = search.filters;
	const path = eventId === undefined ? listPaths.sessions : pathTo`/events/${eventId}/sessions`;
	const options = { query: { ...query, ...withEvent }, fallbackQuery: query };
	const sessions: DeliveredRecord[] = [];
	for await (const { records, beside } of readPages(api, path, options)) {
		const read = records.map((session) => withEventFacts(withEventBeside(session, beside)));
		sessions.push(...read.flatMap((session) => readDelivered(session) ?? []));
	}
	return sessions;
}

async function readOneSession(api: Ask, id: string): Promise<DeliveredRecord | undefined> {
	return readDelivered(withEventFacts(await askForSession(api, id)));
}

/** Gives no sessions where the platform refuses the filter, so that they are read one by one. */
function noneIfRefused(error: unknown): DeliveredRecord[] {
	const refusals: Cause[] = ['refused', 'unprocessable', 'not_found', 'page_out_of_range'];
	if (error instanceof Failure && refusals.includes(error.cause)) return [];
	throw error;
}
