import { randomUUID } from 'node:crypto';
import type { ApiRecord, Platform } from './platform';
import { findSession, findSessionPerson } from './records/find';
import { selectRegistrations, sessionPersonRecord } from './records/personRecord';
import { questionRecord } from './records/sessionContent';
import { sessionRecord } from './records/sessionRecord';
import { Refusal } from './refusal';

export type SessionChange = 'start' | 'end' | 'cancel' | 'reopen';

/** A host does these things in the room. No operation of the API does them, but webhooks tell of them. */
export function changeSession(platform: Platform, id: string, change: SessionChange): ApiRecord {
	return platform.store.transaction(() => {
		const status = String(findSession(platform, id)['status']);
		const from = {
			start: ['upcoming', 'past_not_started', 'draft'],
			end: ['live'],
			cancel: ['upcoming'],
			reopen: ['canceled'],
		};
		if (!from[change].includes(status)) {
			throw new Refusal(409, `A session that is ${status} cannot be changed by ${change}.`);
		}
		const now = Math.floor(platform.now() / 1000);
		const [column, time] = {
			start: ['started_at', now] as const,
			end: ['ended_at', now] as const,
			cancel: ['canceled_at', now] as const,
			reopen: ['canceled_at', 0] as const,
		}[change];
		if (change === 'end') {
			attend(platform, id, now);
			record(platform, id, now);
		}
		platform.store.update('sessions', id, { [column]: time, updated_at: now });
		const session = sessionRecord(findSession(platform, id));
		if (change === 'start') platform.announce('session.started', session);
		if (change === 'end') {
			platform.announce('session.ended', session);
			announceAttendance(platform, id);
		}
		return session;
	});
}

/** So long after its end the recording of a session is there. */
const recordedAfterSeconds = 60;

/** Makes the recording of a session that has ended. It is listed when it is ready. */
function record(platform: Platform, sessionId: string, endedAt: number): void {
	const readyAt = endedAt + recordedAfterSeconds;
	platform.store.insert('recordings', {
		id: randomUUID(),
		session_id: sessionId,
		event_id: findSession(platform, sessionId)['event_id'] ?? '',
		file_type: 'video',
		mime_type: 'mp4',
		file_size: platform.options.recordingBytes,
		file_name: 'session.mp4',
		created_at: readyAt,
		updated_at: readyAt,
	});
}

/** Lets somebody who is registered ask a question, as in the room. */
export function askQuestion(platform: Platform, sessionId: string, question: string): ApiRecord {
	const session = findSession(platform, sessionId);
	const now = Math.floor(platform.now() / 1000);
	const author = platform.store.get(
		"SELECT person_id FROM registrations WHERE session_id = ? ORDER BY role <> 'participant', seq LIMIT 1",
		sessionId,
	);
	if (author === undefined) throw new Refusal(409, 'Nobody is registered who could ask.');
	const row = {
		id: randomUUID(),
		question,
		response: null,
		responded_at: 0,
		responder_id: null,
		question_author_id: author['person_id'] ?? '',
		session_id: sessionId,
		event_id: session['event_id'] ?? '',
		created_at: now,
		updated_at: now,
	};
	return platform.store.transaction(() => {
		platform.store.insert('questions', row);
		return questionRecord(row);
	});
}

export function watchReplay(platform: Platform, sessionId: string, personId: string): ApiRecord {
	return platform.store.transaction(() => {
		const row = findSessionPerson(platform, sessionId, personId);
		const now = Math.floor(platform.now() / 1000);
		platform.store.write(
			'UPDATE registrations SET has_viewed_replay = 1, updated_at = ? WHERE seq = ?',
			now,
			row['seq'] ?? 0,
		);
		const person = sessionPersonRecord(findSessionPerson(platform, sessionId, personId));
		platform.announce('people.watched_replay', person);
		return person;
	});
}

/**
 * Two of three registrants come, the same ones every time, and everybody who was heard of. They stay for a quarter of the
 * session at least.
 */
function attend(platform: Platform, sessionId: string, now: number): void {
	const rate = '(100 - seq * 37 % 76)';
	platform.store.write(
		`UPDATE registrations SET attended = 1, attendance_rate = ${rate}, updated_at = ?1,
			attendance_duration =
				CAST((?1 - (SELECT started_at FROM sessions WHERE id = ?2)) * ${rate} / 100 AS INTEGER)
		WHERE session_id = ?2 AND role = 'participant'
			AND (seq % 3 <> 0 OR questions_count + messages_count + votes_count > 0)`,
		now,
		sessionId,
	);
}

function announceAttendance(platform: Platform, sessionId: string): void {
	const sql = `${selectRegistrations} WHERE r.session_id = ? AND r.role = 'participant' ORDER BY r.seq`;
	for (const row of platform.store.all(sql, sessionId)) {
		const kind = row['attended'] === 1 ? 'people.attended' : 'people.not_attended';
		platform.announce(kind, sessionPersonRecord(row));
	}
}
