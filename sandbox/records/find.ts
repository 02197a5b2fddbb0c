import type { Platform } from '../platform';
import { notFound } from '../refusal';
import type { Row } from '../store/store';
import { selectEvents } from './eventRecord';
import { selectRegistrations } from './personRecord';
import { selectSessions } from './sessionRecord';

/* Each function finds the row of a record by its id, or refuses the request with a 404. */

export function findEvent({ store }: Platform, id: string): Row {
	const row = store.get(`${selectEvents} WHERE e.id = ?`, id);
	if (!row) throw notFound('event', id);
	return row;
}

export function findSession({ store }: Platform, id: string): Row {
	const row = store.get(`${selectSessions} WHERE s.id = ?`, id);
	if (!row) throw notFound('session', id);
	return row;
}

export function findSessionPerson(platform: Platform, sessionId: string, personId: string): Row {
	const sql = `${selectRegistrations} WHERE r.session_id = ? AND r.person_id = ?`;
	const row = platform.store.get(sql, sessionId, personId);
	if (row) return row;
	findSession(platform, sessionId);
	throw notFound(`person registered for the session '${sessionId}'`, personId);
}
