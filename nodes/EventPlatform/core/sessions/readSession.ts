import { readRecord, recordsBeside, type RecordsBeside } from '../client/document';
import { normalizeId, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { idOf, readDelivered } from '../records/record';

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
	return withEventBeside(readRecord(request, response), recordsBeside(response.body));
}

export function withEventBeside(session: JsonObject, beside: RecordsBeside): SessionRead {
	const record = readDelivered(session);
	const eventId = record && idOf('event', record);
	const isEvent = ({ id, type }: JsonObject) =>
		type === 'events' && normalizeId(text(id)) === eventId;
	return { session, event: [...beside.values()].find(isEvent) };
}
