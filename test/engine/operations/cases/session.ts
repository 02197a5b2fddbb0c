import {
	aroundNone,
	aroundWrong,
	bodyOf,
	cannotFind,
	firstPage,
	type OperationCase,
} from '../operationCase';
import { byId } from '../../../support/n8n/locators';
import type { TestSandbox } from '../../../support/platform/sandbox';
import {
	fresh,
	makeEvent,
	makeRegistration,
	makeSession,
} from '../../../support/platform/platformRecords';
import { seededId } from '../../../../sandbox/seed/ids';
import { heldSession, unknownId } from '../../../support/platform/seededIds';

const sessionId = byId();
const noSuchSession = cannotFind('session');
const makeOne = (sandbox: TestSandbox) => makeSession(sandbox);
const ofHeld = {
	items: () => [{ id: heldSession }, { id: unknownId }, { id: heldSession }],
	fails: noSuchSession,
};
const embedding = 'https://www.example.com/live';

export const sessionCases: Record<string, OperationCase> = {
	'session.getAll': {
		parameters: { returnAll: true, filters: { status: 'past', dateFrom: '={{ $json.from }}' } },
		items: () => [{ from: '2020-01-01T00:00:00Z' }, { from: 'the past' }, { from: 1577836800 }],
		fails: /^'Planned From': this is not a date$/,
		sends: [
			`GET /sessions?filter[date_from]=1577836800&filter[status]=past&include=event&${firstPage()}`,
		],
		sendsInVain: [],
		gives: {
			type: 'sessions',
			id: heldSession,
			status: 'past',
			event_title: expect.any(String) as string,
		},
	},
	'session.get': {
		...aroundNone(makeOne, 'session'),
		parameters: { sessionId, options: { include: ['event'] } },
		sends: ({ id }) => [`GET /sessions/${id}?include=event`],
		gives: ({ id }) => ({ id, type: 'sessions', timezone: 'Europe/Paris' }),
	},
	'session.create': {
		parameters: {
			eventId: byId(),
			estimatedStartedAt: '2027-05-01T18:00:00+02:00',
			timezone: '={{ $json.zone }}',
			additionalFields: { name: '={{ $json.name }}' },
		},
		items: async (sandbox) => {
			const zones = ['America/New_York', 'Middle/Earth', 'America/New_York'];
			const id = await makeEvent(sandbox);
			const name = fresh('Evening');
			return zones.map((zone) => ({ id, name, zone }));
		},
		fails: /^There is no time zone "Middle\/Earth"$/,
		sends: ({ id }) => [`POST /events/${id}/sessions`],
		sendsInVain: [],
		body: ({ name }) =>
			bodyOf('sessions', {
				name,
				timezone: 'America/New_York',
				estimated_started_at: '2027-05-01 12:00:00',
			}),
		gives: ({ id, name }) => ({
			event_id: id,
			name,
			timezone: 'America/New_York',
			estimated_started_at: '2027-05-01T12:00:00-04:00',
		}),
	},
	'session.update': {
		...aroundNone(makeOne, 'session'),
		parameters: {
			sessionId,
			updateFields: { name: 'Late', embedUrl: embedding },
			options: { fields: 'name, embed_url' },
		},
		sends: ({ id }) => [`PATCH /sessions/${id}`],
		body: ({ id }) => bodyOf('sessions', { name: 'Late', embed_url: embedding }, { id }),
		gives: ({ id }) => ({ id, name: 'Late', embed_url: embedding }),
	},
	'session.delete': {
		...aroundWrong(makeOne, '', /^'Session' is empty$/),
		parameters: { sessionId },
		sends: ({ id }) => [`DELETE /sessions/${id}`],
		gives: ({ id }) => ({ deleted: true, id }),
	},
	'session.getPeople': {
		...aroundNone(async (sandbox) => {
			const session = await makeSession(sandbox);
			await makeRegistration(sandbox, session, 'known@example.com');
			return session;
		}, 'session'),
		parameters: { sessionId, filters: { attended: false } },
		sends: ({ id }) => [`GET /sessions/${id}/people?filter[attended]=false&${firstPage()}`],
		gives: { type: 'people', email: 'known@example.com', first_name: 'Ada', last_name: 'Lovelace' },
	},
	'session.getQuestions': {
		...ofHeld,
		parameters: { sessionId, limit: 1 },
		sends: ({ id }) => [`GET /sessions/${id}/questions?include=asker,responder&${firstPage(1)}`],
		gives: { type: 'questions', question: 'Will there be a replay?' },
	},
	'session.getRecordings': {
		parameters: { sessionId, limit: 1, options: { urlExpiresIn: '={{ $json.seconds }}' } },
		items: () => [3600, 5, 604800].map((seconds) => ({ id: heldSession, seconds })),
		fails: /^The parameter url_expires_in must be >= 3600 \(400\)$/,
		sends: ({ id, seconds }) => [
			`GET /sessions/${id}/recordings?${firstPage(1)}&url_expires_in=${seconds}`,
		],
		gives: {
			type: 'recordings',
			mime_type: 'mp4',
			url_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
		},
	},
	'session.getReport': {
		parameters: { sessionId },
		items: async (sandbox) => [
			{ id: heldSession, registrants: 4, settled: true },
			{ id: unknownId },
			{ id: await makeSession(sandbox), registrants: 0, settled: false },
		],
		fails: noSuchSession,
		sends: ({ id }) => [
			`GET /sessions/${id}?include=event`,
			`GET /sessions/${id}/people?${firstPage()}`,
			`GET /sessions/${id}/questions?${firstPage()}`,
		],
		sendsInVain: ({ id }) => [`GET /sessions/${id}?include=event`],
		gives: ({ id, registrants, settled }) => ({
			report: 'session',
			session_id: id,
			title: expect.stringMatching(/\w/) as string,
			registrants,
			is_settled: settled,
		}),
	},
	'session.downloadRecording': {
		...ofHeld,
		parameters: { sessionId },
		items: (sandbox) => {
			const recording = seededId('recording', 1);
			sandbox.platform.store.update('recordings', recording, { file_size: 1_000 });
			return ofHeld.items();
		},
		sends: ({ id }) => [`GET /sessions/${id}/recordings?${firstPage()}`],
		gives: { type: 'recordings', mime_type: 'mp4', file_size: 1_000 },
	},
	'session.getCalendarFile': {
		...aroundNone(makeOne, 'session'),
		parameters: { sessionId },
		sends: ({ id }) => [`GET /sessions/${id}?include=event`],
		gives: ({ id }) => ({
			session_id: id,
			title: expect.stringMatching(/^Event-/) as string,
			starts_at: expect.stringMatching(/^2027-03-01T/) as string,
			is_canceled: false,
			has_join_link: false,
			file_name: expect.stringMatching(/^Event-\d+\.ics$/) as string,
		}),
	},
	'session.getChatMessages': {
		...ofHeld,
		parameters: { sessionId, limit: 1 },
		sends: ({ id }) => [`GET /sessions/${id}/chat_messages?${firstPage(1)}`],
		gives: { type: 'chat_messages', text_content: 'Good morning, everyone!' },
	},
};
