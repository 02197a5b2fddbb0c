import type { ApiRecord } from '../platform';
import type { Table } from '../store/schema';
import type { Row } from '../store/store';
import { Conditions } from './filters';
import { type Call, type Handler, pathId } from './handler';
import { readPage, readRows } from './page';
import { findSession } from './find';
import { linkSeconds, recordingRecord } from './recordingRecord';
import { linkAskers, linked } from './linked';

function contentOf(call: Call, table: Table, record: (row: Row) => ApiRecord, readyAt?: number) {
	const id = pathId(call, 'id');
	findSession(call.platform, id);
	const filters = new Conditions(call.query).add('c.session_id = ?', id);
	if (readyAt !== undefined) filters.add('c.created_at <= ?', readyAt);
	const from = `FROM ${table} c`;
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: `SELECT c.* ${from}`, from, order: 'c.seq', ...filters.sql },
		readPage(call),
	);
	return { status: 200, body: { data: rows.map(record), meta } };
}

const listQuestions: Handler = (call) => {
	const { status, body } = contentOf(call, 'questions', questionRecord);
	return { status, body: { ...body, ...linked(call, body.data, links) } };
};

const links = {
	asker: linkAskers('asker', 'question_author_id'),
	responder: linkAskers('responder', 'response_author_id'),
};

export function questionRecord(row: Row): ApiRecord {
	return {
		id: String(row['id']),
		type: 'questions',
		attributes: {
			question: row['question'],
			response: row['response'],
			responded_at: row['responded_at'],
			responded_orally: row['response'] === null && row['responded_at'] !== 0,
			question_author_id: row['question_author_id'],
			response_author_id: row['responder_id'],
			event_id: row['event_id'],
			session_id: row['session_id'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	};
}

const listRecordings: Handler = (call) => {
	const asked = call.query['url_expires_in'];
	const expiresIn = asked === undefined ? linkSeconds : Number(asked);
	// A recording is listed when it is ready.
	const now = Math.floor(call.platform.now() / 1000);
	return contentOf(
		call,
		'recordings',
		(row) => recordingRecord(call.platform, row, expiresIn),
		now,
	);
};

const listChatMessages: Handler = (call) =>
	contentOf(call, 'chat_messages', (row) => ({
		id: String(row['id']),
		type: 'chat_messages',
		attributes: {
			author_id: row['author_id'],
			text_content: row['text_content'],
			html_content: row['html_content'],
			from_guest_speaker: row['from_guest_speaker'] === 1,
			from_team_member: row['from_team_member'] === 1,
			event_id: row['event_id'],
			session_id: row['session_id'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	}));

export const sessionContentHandlers = { listQuestions, listRecordings, listChatMessages };
