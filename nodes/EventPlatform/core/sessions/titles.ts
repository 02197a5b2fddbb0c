import { attributesOf } from '../client/document';
import type { JsonObject } from '../values/json';
import type { SessionRead } from './readSession';

/** The session with the title of its event among its own fields. */
export function titled({ session, event }: SessionRead): JsonObject {
	if (event === undefined) return session;
	const event_title = attributesOf(event).title ?? null;
	return { ...session, attributes: { event_title, ...attributesOf(session) } };
}

export type Titles = ReturnType<typeof titlesOf>;
export function titlesOf({ event_title = null, name = null }: JsonObject) {
	return { event_title, session_name: name };
}
