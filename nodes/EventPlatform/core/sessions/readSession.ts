import { attributesOf, getRecord, includedIn, readRecord } from '../client/document';
import { asSpelled, pathTo } from '../client/path';
import type { Api, ApiRequest, Ask } from '../client/request';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { idOf, readDelivered } from '../records/record';

export interface SessionRead {
	session: JsonObject;
	event?: JsonObject;
}

/** With what it came to, once that is known. */
type Reading = Promise<SessionRead> & { read?: SessionRead };

/** By run, because each has an api of its own; then by the ids that were asked for and those that were answered. */
const ofRuns = new WeakMap<Api, Map<string, Reading>>();

/** Read once in a run, by the part that needs it first. `ask` is the api as far as that part uses it. */
export function readSession(api: Api, id: string, ask: Ask = api): Promise<SessionRead> {
	const sessions = ofRuns.get(api) ?? new Map<string, Reading>();
	ofRuns.set(api, sessions);
	const session = sessions.get(id) ?? askForSession(ask, id);
	sessions.set(id, session);
	session.then(
		(read) => sessions.set(text(read.session.id), Object.assign(session, { read })),
		// What failed may work the next time.
		() => sessions.delete(id),
	);
	return session;
}

/** Gives the event of a session. It is asked for, once in a run, where the platform did not send it along with the session. */
export async function readEvent(api: Api, sessionId: string, ask: Ask = api): Promise<JsonObject> {
	const read = await readSession(api, sessionId, ask);
	read.event ??= await getRecord(ask, pathTo`/events/${attributesOf(read.session).event_id}`);
	return read.event;
}

/** What a request of this run was about, where it is known already. */
export function sessionOf(api: Api, { path }: Pick<ApiRequest, 'path'>): SessionRead | undefined {
	const [, collection, id = ''] = path.split('/').map(decodeURIComponent);
	return collection === 'sessions' ? ofRuns.get(api)?.get(id)?.read : undefined;
}

/** Brings the event without another request. */
export const withEvent = { include: 'event' };

export async function askForSession(ask: Ask, id: string): Promise<SessionRead> {
	const path = pathTo`/sessions/${id}`;
	const request: ApiRequest = { method: 'GET', path, query: withEvent, fallbackQuery: {} };
	const answer = await ask(request);
	return besideEvent(answer.body, readRecord(request, answer));
}

/** A session of an answer, and its event, which stands beside it. */
export function besideEvent(body: unknown, session: JsonObject): SessionRead {
	const record = readDelivered(session);
	const eventId = record && idOf('event', record);
	const isEvent = ({ id, type }: JsonObject) =>
		type === 'events' && asSpelled(text(id)) === eventId;
	return { session, event: includedIn(body).find(isEvent) };
}
