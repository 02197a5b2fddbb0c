/* How sessions are listed, and which of them have the title of the filter: for the lists of a poll (`sessionsInView.ts`), and for the schedule (`sessionsToCome.ts`). */
import { mapConcurrently, usuallyAtOnce } from '../client/concurrently';
import { readPages, type ListOptions } from '../client/pages';
import { pathTo } from '../client/path';
import type { Ask, Query } from '../client/request';
import { listPaths } from '../events/eventTypes';
import { fitsTitle } from '../events/filters';
import { withEventFacts } from '../events/sessionFacts';
import { idOf, readDelivered, type DeliveredRecord } from '../records/record';
import { askForSession, readEventOf, withEvent, withIncludedEvent } from '../sessions/readSession';
import type { Seconds } from '../values/units';
import type { PollContext } from './pollContext';
import { goneIfNotFound } from './pollRequests';
import type { Search } from './pollSettings';

/** When sessions are planned to start. */
interface Span {
	fromAt: Seconds;
	/** Infinity, or absent: however late. */
	untilAt?: Seconds;
}

interface ListedSessions {
	sessions: DeliveredRecord[];
	/** All sessions were listed, and not only those of the span. */
	isAll: boolean;
}

type ForList = Pick<PollContext, 'ask' | 'search' | 'refused'>;

/**
 * Lists the sessions of a span, or all, with the facts of their events. All are also listed where the platform refuses the filter, and
 * where people chose a session, which is the whole list.
 */
export async function listSessions(context: ForList, span?: Span): Promise<ListedSessions> {
	const { sessionId } = context.search.filters;
	if (sessionId !== undefined) {
		const session = await readOneSession(context.ask, sessionId);
		return { sessions: session ? [session] : [], isAll: true };
	}
	if (span === undefined) return await listUnfiltered(context);
	const ofSpan = await listFiltered(context, spanQuery(span), () => listUnfiltered(context));
	return Array.isArray(ofSpan) ? { sessions: ofSpan, isAll: false } : ofSpan;
}

/** None where the platform refuses the filter. */
export async function listOnDemand(context: ForList): Promise<DeliveredRecord[]> {
	const query = { 'filter[status]': 'on_demand' };
	return await listFiltered(context, query, () => Promise.resolve([]));
}

/** Reads a session that no list shows; undefined where its record has no id. */
export async function readAlone(
	ask: Ask,
	id: string,
): Promise<DeliveredRecord | 'gone' | undefined> {
	return await readOneSession(ask, id).catch(goneIfNotFound);
}

/** The list of the sessions that the filters may let through. Where a session was chosen, it is the whole list. */
export function sessionsPathOf({ filters: { sessionId, eventId } }: Search): string {
	if (sessionId !== undefined) return pathTo`/sessions/${sessionId}`;
	return eventId === undefined ? listPaths.sessions : pathTo`/events/${eventId}/sessions`;
}

function spanQuery({ fromAt, untilAt = Infinity }: Span): Query {
	return {
		'filter[date_from]': fromAt,
		...(untilAt < Infinity && { 'filter[date_to]': untilAt }),
	};
}

async function listUnfiltered(context: ForList): Promise<ListedSessions> {
	const sessions = await readSessions(context, {}, { isEmptyInWordsOnly: true });
	return { sessions, isAll: true };
}

/** Lists sessions with a filter, or what else shows them where the platform refuses it. */
async function listFiltered<Whole>(
	context: ForList,
	query: Query,
	listWithout: () => Promise<Whole>,
): Promise<DeliveredRecord[] | Whole> {
	const filtered = { path: sessionsPathOf(context.search), query };
	const list = () => readSessions(context, query);
	return await context.refused.readOrLeaveOut(filtered, list, listWithout);
}

async function readSessions(
	{ ask, search }: ForList,
	query: Query,
	more: Pick<ListOptions, 'isEmptyInWordsOnly'> = {},
): Promise<DeliveredRecord[]> {
	const path = sessionsPathOf(search);
	const options = { ...more, query, addedQuery: withEvent };
	const sessions: DeliveredRecord[] = [];
	for await (const { records, included } of readPages(ask, path, options)) {
		for (const record of records) {
			const session = readDelivered(withEventFacts(withIncludedEvent(record, included)));
			if (session) sessions.push(session);
		}
	}
	return sessions;
}

async function readOneSession(ask: Ask, id: string): Promise<DeliveredRecord | undefined> {
	return readDelivered(withEventFacts(await askForSession(ask, id)));
}

type ForTitles = Pick<PollContext, 'ask' | 'search' | 'events'>;

/**
 * Finds the sessions whose event has a title that the filter asks for. Where a session came without its event, the event is read. If one cannot be read,
 * nobody knows whether its session is wanted, and the reading fails.
 */
export async function ofTitle(
	{ ask, search: { filters }, events }: ForTitles,
	sessions: DeliveredRecord[],
): Promise<DeliveredRecord[]> {
	if (filters.eventTitleContains === undefined) return sessions;
	// Few at a time, because what has failed stops those that were not sent yet.
	const titled = await mapConcurrently(sessions, usuallyAtOnce, async (session) => {
		if ('event_title' in session.attributes) return session;
		const eventId = idOf('event', session);
		const event = await events.read(eventId, () => readEventOf(ask, session).catch(goneIfNotFound));
		return readDelivered(withEventFacts({ session, event: event === 'gone' ? undefined : event }));
	});
	return titled.flatMap((session) =>
		session && fitsTitle(session.attributes.event_title, filters) ? session : [],
	);
}
