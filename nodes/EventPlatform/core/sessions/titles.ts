import { attributesOf } from '../client/document';
import type { Json, JsonObject } from '../values/json';
import type { SessionRead } from './readSession';

/** The session with the title of its event among its own fields. */
export function titled({ session, event }: SessionRead): JsonObject {
	if (event === undefined) return session;
	const event_title = attributesOf(event).title ?? null;
	return { ...session, attributes: { event_title, ...attributesOf(session) } };
}

/** The title of the event and the name of the session, as fields of a record. */
export type Titles = Record<'event_title' | 'session_name', Json>;

export function titlesOf({ event_title = null, name = null }: JsonObject): Titles {
	return { event_title, session_name: name };
}
