import { attributesOf, getRecord } from '../client/document';
import { pathTo } from '../client/path';
import type { Ask } from '../client/request';
import type { SessionRead } from '../sessions/readSession';
import { parseSeconds, plannedStart } from '../dialect/time';
import type { Json, JsonObject } from '../values/json';

export interface SessionFacts {
	event_title: Json;
	session_name: Json;
	/** When it began, or is planned to begin, in Unix seconds. */
	session_started_at: Json;
	session_timezone: Json;
	registration_link: Json;
}

export function withEventFacts({ session, event }: SessionRead): JsonObject {
	if (event === undefined) return session;
	const { title = null, registration_link = null } = attributesOf(event);
	return {
		...session,
		attributes: { event_title: title, registration_link, ...attributesOf(session) },
	};
}

/** Reads the event of a session that came without it; undefined where the session does not name it. */
export async function readEventOf(
	ask: Ask,
	{ session }: SessionRead,
): Promise<JsonObject | undefined> {
	const { event_id: eventId } = attributesOf(session);
	return typeof eventId === 'string' ? await getRecord(ask, pathTo`/events/${eventId}`) : undefined;
}

export function sessionFactsOf(session: JsonObject): SessionFacts {
	const { event_title = null, name = null, timezone = null, registration_link = null } = session;
	const startedAt = parseSeconds(session.started_at) ?? plannedStart(session) ?? null;
	return {
		event_title,
		session_name: name,
		session_started_at: startedAt,
		session_timezone: timezone,
		registration_link,
	};
}
