import { getRecord, readRecord, includedIn, type IncludedRecords } from '../client/document';
import { isSameId, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { asFailure, type Failure } from '../client/failure';
import { askForPage } from '../client/pages';
import type { JsonObject } from '../values/json';
import { idOf, readDelivered } from '../records/record';

/* What this rests on: the vendor's pages have `include=event` for the list of sessions. A platform may refuse or ignore it (4.3). */

export interface SessionRead {
	session: JsonObject;
	/** The record of its event. Absent: the platform did not send it along with the session, and nobody has asked for it. */
	event?: JsonObject;
}

/** The part of a query that brings the event of a session without another request. */
export const withEvent = { include: 'event' };

export async function askForSession(ask: Ask, id: string): Promise<SessionRead> {
	const path = pathTo`/sessions/${id}`;
	const request: ApiRequest = { method: 'GET', path, addedQuery: withEvent };
	const response = await ask(request);
	return withIncludedEvent(readRecord(request, response), includedIn(response.body));
}

/** Undefined where the session does not name its event. */
export function eventIdOf(session: JsonObject): string | undefined {
	const record = readDelivered(session);
	return record && idOf('event', record);
}

/** Reads the event of a session that came without it; undefined where the session does not name it. */
export async function readEventOf(ask: Ask, session: JsonObject): Promise<JsonObject | undefined> {
	const eventId = eventIdOf(session);
	return eventId === undefined ? undefined : await getRecord(ask, pathTo`/events/${eventId}`);
}

export function withIncludedEvent(session: JsonObject, included: IncludedRecords): SessionRead {
	const eventId = eventIdOf(session);
	if (eventId === undefined) return { session };
	const isEvent = ({ id, type }: JsonObject) => type === 'events' && isSameId(id, eventId);
	return { session, event: [...included.values()].find(isEvent) };
}

/** Asks whether the platform lists sessions, where one was not found; gives the failure where it does not. */
export async function failureToListSessions(ask: Ask): Promise<Failure | undefined> {
	const query = { 'page[number]': 0, 'page[size]': 1 };
	const request: ApiRequest = { method: 'GET', path: '/sessions', query };
	return await askForPage(ask, request).then(() => undefined, asFailure);
}
