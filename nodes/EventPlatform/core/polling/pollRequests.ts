/* What a poll asks for: lists, perhaps with a filter, and sessions; and what a refusal means. */
import { Failure } from '../client/failure';
import { hasNoSuchPage, readPages, type ListOptions } from '../client/pages';
import { pathTo } from '../client/path';
import type { Ask, Query } from '../client/request';
import { listPaths } from '../events/eventTypes';
import { withEventFacts } from '../events/sessionFacts';
import { deliveredIn, readDelivered, type DeliveredRecord } from '../records/record';
import { askForSession, withEvent, withIncludedEvent } from '../sessions/readSession';
import { addAll } from '../values/collections';
import type { Seconds } from '../values/units';
import type { PollContext } from './pollContext';
import type { Search } from './search';

/** Reads the records of a list, without those that have no id. */
export async function listDelivered(
	ask: Ask,
	path: string,
	options: ListOptions,
): Promise<DeliveredRecord[]> {
	const deliveredRecords: DeliveredRecord[] = [];
	for await (const { records } of readPages(ask, path, options)) {
		addAll(deliveredRecords, deliveredIn(records));
	}
	return deliveredRecords;
}

export function changedQuery(sinceAt: Seconds | undefined): Query | undefined {
	return sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
}

/** The poll goes on where a record was deleted after it was listed, or never was there. */
export function goneIfNotFound(error: unknown): 'gone' {
	if (error instanceof Failure && error.cause === 'not_found') return 'gone';
	throw error;
}

export function noneIfGone(error: unknown): never[] {
	goneIfNotFound(error);
	return [];
}

/** Undefined where the first page is refused without words: the list may be empty, or a gateway may have refused it. */
export async function listAllSessions(context: ForList): Promise<DeliveredRecord[] | undefined> {
	return await listSessions(context, {}, { isEmptyInWordsOnly: true }).catch((error: unknown) => {
		if (!(error instanceof Failure) || !hasNoSuchPage(error)) throw error;
		return undefined;
	});
}

type ForList = Pick<PollContext, 'ask' | 'search'>;

/** Lists sessions with the facts of their events: those of the event that people chose, or those of the workspace. */
async function listSessions(
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

/** Lists sessions with a filter, or what else shows them where the platform refuses it. */
export async function listFiltered<Whole>(
	context: ForList & Pick<PollContext, 'refused'>,
	query: Query,
	listWithout: () => Promise<Whole>,
): Promise<DeliveredRecord[] | Whole> {
	const filtered = { path: sessionsPathOf(context.search), query };
	const list = () => listSessions(context, query);
	return await context.refused.readOrLeaveOut(filtered, list, listWithout);
}

/** The list of the sessions that the filters may let through. Where a session was chosen, it is the whole list. */
export function sessionsPathOf({ filters: { sessionId, eventId } }: Search): string {
	if (sessionId !== undefined) return pathTo`/sessions/${sessionId}`;
	return eventId === undefined ? listPaths.sessions : pathTo`/events/${eventId}/sessions`;
}

/** Reads one session with the facts of its event; undefined where its record has no id. */
export async function readOneSession(ask: Ask, id: string): Promise<DeliveredRecord | undefined> {
	return readDelivered(withEventFacts(await askForSession(ask, id)));
}
