import { attributesOf } from '../client/document';
import { eventIdOf, type SessionRead } from '../sessions/readSession';
import type { Json, JsonObject } from '../values/json';

/** The facts about a session, by the names that they have in its record, and those of its event. */
export interface SessionFacts {
	/** Absent: the platform does not show the event. Null: there is no title. */
	event_title?: Json;
	name: Json;
	estimated_started_at: Json;
	started_at: Json;
	timezone: Json;
	registration_link: Json;
	/** How long the event is planned to last, in minutes. */
	estimated_duration: Json;
}

export function withEventFacts({ session, event }: SessionRead): JsonObject {
	if (event === undefined) return session;
	const { title = null, registration_link = null, estimated_duration = null } = attributesOf(event);
	const facts = { event_title: title, registration_link, estimated_duration };
	return { ...session, attributes: { ...facts, ...attributesOf(session) } };
}

/** Whether a session names an event whose title is not known. */
function isUntitled(session: JsonObject): boolean {
	return !('event_title' in attributesOf(session)) && eventIdOf(session) !== undefined;
}

export function factsOfRead(sessionRead: SessionRead): SessionFacts {
	const session = withEventFacts(sessionRead);
	const { event_title, ...facts } = sessionFactsOf(attributesOf(session));
	return isUntitled(session) ? facts : { event_title, ...facts };
}

export function sessionFactsOf(session: JsonObject): SessionFacts {
	const { event_title = null, name = null, timezone = null } = session;
	const {
		estimated_started_at = null,
		started_at = null,
		registration_link = null,
		estimated_duration = null,
	} = session;
	return {
		event_title,
		name,
		estimated_started_at,
		started_at,
		timezone,
		registration_link,
		estimated_duration,
	};
}
