import type { ApiRecord } from '../platform';
import type { Table } from '../store/schema';
import type { Row } from '../store/store';
import { Conditions } from './filters';
import { type Call, type Handler, pathId } from './handler';
import { readPage, readRows } from './page';
import { findSession } from './find';
import { site } from './links';

function contentOf(call: Call, table: Table, record: (row: Row) => ApiRecord) {
	const id = pathId(call, 'id');
	findSession(call.platform, id);
	const filters = new Conditions(call.query).add('c.session_id = ?', id);
	const from = `FROM ${table} c`;
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: `SELECT c.* ${from}`, from, order: 'c.seq', ...filters.sql },
		readPage(call.query),
	);
	return { status: 200, body: { data: rows.map(record), meta } };
}

const listQuestions: Handler = (call) =>
	contentOf(call, 'questions', (row) => ({
		id: String(row['id']),
		type: 'questions',
		attributes: {
			question: row['question'],
			response: row['response'],
			responded_at: row['responded_at'],
			question_author_id: row['question_author_id'],
			responder_id: row['responder_id'],
			event_id: row['event_id'],
			session_id: row['session_id'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	}));

const shortestLinkSeconds = 3600;

const listRecordings: Handler = (call) => {
	const expiresIn = Number(call.query['url_expires_in'] ?? shortestLinkSeconds);
	const now = Math.floor(call.platform.now() / 1000);
	return contentOf(call, 'recordings', (row) => ({
		id: String(row['id']),
		type: 'recordings',
		attributes: {
			event_id: row['event_id'],
			session_id: row['session_id'],
			file_type: row['file_type'],
			mime_type: row['mime_type'],
			file_size: row['file_size'],
			file_name: row['file_name'],
			url: `${site}/files/${String(row['id'])}?expires=${now + expiresIn}`,
			url_generated_at: now,
			url_expires_in: expiresIn,
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	}));
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
