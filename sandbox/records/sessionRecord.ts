import type { ApiRecord } from '../platform';
import type { Row } from '../store/store';
import { lateSeconds } from './eventRecord';
import { site } from './links';

export const sessionStatus = `CASE
	WHEN s.canceled_at > 0 THEN 'canceled'
	WHEN s.ended_at > 0 THEN CASE WHEN s.on_demand = 1 THEN 'on_demand' ELSE 'past' END
	WHEN s.started_at > 0 THEN 'live'
	WHEN e.status = 'draft' THEN 'draft'
	WHEN s.estimated_started_at < unixepoch() - ${lateSeconds} THEN 'past_not_started'
	ELSE 'upcoming' END`;

export const fromSessions = 'FROM sessions s JOIN events e ON e.id = s.event_id';
export const selectSessions = `SELECT s.*, ${sessionStatus} AS status ${fromSessions}`;

export function sessionRecord(row: Row): ApiRecord {
	const started = Number(row['started_at']);
	const ended = Number(row['ended_at']);
	return {
		id: String(row['id']),
		type: 'sessions',
		attributes: {
			event_id: row['event_id'],
			status: row['status'],
			timezone: row['timezone'],
			room_link: `${site}/room/${String(row['id'])}`,
			name: row['name'],
			embed_url: row['embed_url'] ?? null,
			attendees_count: row['attendees_count'],
			registrants_count: row['registrants_count'],
			duration: ended > 0 ? ended - started : null,
			estimated_started_at: row['estimated_started_at'],
			started_at: started,
			ended_at: ended,
			canceled_at: row['canceled_at'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
			// No session of the sandbox has breakout rooms, so the filter by them has nothing to leave out.
			breakout_room_parent_session_id: null,
		},
	};
}
