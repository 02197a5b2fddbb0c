import { create, update } from './createAndUpdate';
import { downloadRecording } from './downloadRecording';
import { getPeople } from './getPeople';
import type { Operation, Resource } from '../operation';
import { deletion, listOf, manyRecords, oneOf, Related } from '../records';
import { withDates } from '../../parameters/dates';
import { choiceField, numberField } from '../../parameters/field';
import { eventLocator, sessionLocator } from '../../parameters/locators';
import { askedOfSessions, sessionFilters } from '../../parameters/sessionFields';
import { isObject } from '../../core/http/json';
import { attributesOf, readRecord } from '../../core/http/jsonApi';

const deleteSession: Operation = {
	value: 'delete',
	action: 'Delete session',
	description:
		'Delete a session permanently. The API cannot cancel sessions. To cancel one, use the platform.',
	fields: [sessionLocator],
	async run({ api, read }) {
		const path = read.path('/sessions/{sessionId}');
		const request = { method: 'GET', path, query: { include: 'event' } } as const;
		const answer = await api(request);
		const session = readRecord(request, answer);
		const { included } = isObject(answer.body) ? answer.body : {};
		const { event_title = null } = new Related(included).columnsOf(session);
		const { name = null, estimated_started_at = null } = attributesOf(session);
		const what = { id: read.id('sessionId'), event_title, name, estimated_started_at };
		return await deletion(api, { path }, withDates(what, read.zone));
	},
};

const get: Operation = {
	value: 'get',
	action: 'Get session',
	description: 'Retrieve a session with its dates, status and numbers of people',
	...oneOf('sessions', '/sessions/{sessionId}', askedOfSessions),
};

/** Sessions of one event have a list of their own on the platform. */
const ofEvent = {
	...eventLocator,
	required: false,
	description: 'Only the sessions of this event',
};

const ofAll = listOf('sessions', '/sessions', {
	filters: [...sessionFilters, ofEvent],
	...askedOfSessions,
});

const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'Retrieve the sessions of all events',
	...ofAll,
	run(visit) {
		const { read } = visit;
		if (!('eventId' in read.filters())) return ofAll.run(visit);
		const path = read.path('/events/{filters.eventId}/sessions');
		return manyRecords(visit, path, askedOfSessions.query(read));
	},
};

const getChatMessages: Operation = {
	value: 'getChatMessages',
	action: 'Get chat messages of session',
	description: 'Retrieve the chat messages of a session',
	...listOf('chat_messages', '/sessions/{sessionId}/chat_messages'),
};

const include = choiceField(
	'include',
	{ asker: ['Asker', 'Who asked'], responder: ['Responder', 'Who answered'] },
	['asker', 'responder'],
	'Whose name and email to return with each question',
);

const getQuestions: Operation = {
	value: 'getQuestions',
	action: 'Get questions of session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	...listOf('questions', '/sessions/{sessionId}/questions', {
		options: [include],
		query(read) {
			const isChosen = 'include' in read.chosen('options');
			// Simplified, they name people unless told otherwise.
			return read.simplify() && !isChosen ? { include: 'asker,responder' } : read.query('include');
		},
	}),
};

const urlExpiresIn = numberField(
	'urlExpiresIn',
	3600,
	'How long the links to the files work, from 3600 (an hour) to 604800 (a week)',
	{ displayName: 'Link Lifetime (Seconds)', typeOptions: { minValue: 3600 } },
);

const getRecordings: Operation = {
	value: 'getRecordings',
	action: 'Get recordings of session',
	description: 'Retrieve the recordings of a session, with links to the files',
	...listOf('recordings', '/sessions/{sessionId}/recordings', { options: [urlExpiresIn] }),
};

export const session: Resource = {
	value: 'session',
	name: 'Session',
	description: 'One date of an event, which people register for',
	operations: [
		create,
		deleteSession,
		downloadRecording,
		get,
		getChatMessages,
		getAll,
		getPeople,
		getQuestions,
		getRecordings,
		update,
	],
	initial: getAll,
};
