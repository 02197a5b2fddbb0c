import { type Operation, type Visit, type Resource } from './operation';
import { writingOf, deletionOf, listOf, oneOf } from './records';
import { namesItsZone } from '../parameters/dates';
import {
	additionalFields,
	choiceField,
	textField,
	updateFields,
	eitherField,
	numberField,
} from '../parameters/field';
import { timezoneLocator, eventLocator, optional } from '../parameters/locators';
import { textsIn } from '../parameters/given';
import {
	plannedStart,
	sessionAttributes,
	sessionNameField,
	askedOfSessions,
	peopleFilters,
	sessionFilters,
} from '../parameters/sharedFields';
import { attributesOf, getRecord } from '../core/http/jsonApi';
import { text, type JsonObject } from '../core/http/json';
import { downloadRecording } from './downloadRecording';
import { fieldsOf } from '../core/records/simplify';

const embedUrl = textField(
	'embedUrl',
	'URL of the page that embeds the room',
	'https://www.example.com/live',
);

const teamMembers = choiceField(
	'teamMembers',
	{},
	[],
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	{
		displayName: 'Team Member Names or IDs',
		typeOptions: { loadOptionsMethod: 'users' },
		options: undefined,
	},
);

const create: Operation = {
	action: 'Create session',
	description: 'Add a session to an event',
	...writingOf(
		'POST',
		'sessions',
		'/events/{eventId}/sessions',
		[
			{ ...plannedStart, required: true },
			timezoneLocator,
			additionalFields([embedUrl, sessionNameField, teamMembers]),
		],
		({ read }) => {
			const zone = read.text('timezone') || read.zone;
			const { team_members: team, ...others } = read.toSend('additionalFields');
			const start = read.date('estimatedStartedAt');
			const people = textsIn(team).map((id) => ({
				data: { type: 'people', id, role: 'team_member' },
			}));
			return {
				attributes: sessionAttributes(start, { ...others, timezone: zone }, zone, read),
				...(people.length > 0 && { relationships: { people } }),
			};
		},
	),
};

const update: Operation = {
	action: 'Update session',
	description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
	...writingOf(
		'PATCH',
		'sessions',
		'/sessions/{sessionId}',
		[
			updateFields([
				embedUrl,
				sessionNameField,
				plannedStart,
				{ ...timezoneLocator, description: 'Time zone of the session' },
			]),
		],
		async (visit) => {
			const { read } = visit;
			const changes = read.changes();
			const zone = await zoneOf(changes, visit);
			const { estimated_started_at: start, ...others } = changes;
			const attributes = sessionAttributes(start, others, zone, read);
			return { id: read.id('sessionId'), attributes };
		},
	),
};

/** A start is written in the zone of the session, which has to be asked for when it is not given. */
async function zoneOf(changes: JsonObject, { api, read }: Visit): Promise<string> {
	if (changes.timezone) return text(changes.timezone);
	const { estimated_started_at: start } = changes;
	if (!start || !namesItsZone(start)) return read.zone;
	const { timezone: own } = attributesOf(await getRecord(api, read.path('/sessions/{sessionId}')));
	return typeof own === 'string' ? own : read.zone;
}

export const session: Resource = {
	description: 'One date of an event, which people register for',
	operations: {
		create,
		delete: {
			action: 'Delete session',
			description:
				'Delete a session permanently. The API cannot cancel sessions. To cancel one, use the platform.',
			...deletionOf('/sessions/{sessionId}', {
				fields: ['event_title', 'name', 'estimated_started_at'],
				query: { include: 'event' },
			}),
		},
		downloadRecording,
		get: {
			action: 'Get session',
			description: 'Retrieve a session with its dates, status and numbers of people',
			...oneOf('sessions', '/sessions/{sessionId}', askedOfSessions),
		},
		getChatMessages: {
			action: 'Get chat messages of session',
			description: 'Retrieve the chat messages of a session',
			...listOf('chat_messages', '/sessions/{sessionId}/chat_messages'),
		},
		getAll: {
			action: 'Get many sessions',
			description: 'Retrieve the sessions of all events',
			...listOf('sessions', '[/events/{filters.eventId}]/sessions', {
				filters: [
					...sessionFilters,
					// Sessions of one event have a list of their own on the platform.
					optional(eventLocator, 'Only the sessions of this event'),
				],
				...askedOfSessions,
			}),
		},
		getPeople: {
			action: 'Get people of session',
			description: 'Retrieve the people of a session, with their answers and attendance',
			...listOf('registrants', '/sessions/{sessionId}/people', {
				filters: [
					...peopleFilters,
					eitherField(
						['Asked a Question', 'askedQuestion'],
						['Asked', 'Did Not Ask'],
						'Only people who asked a question, or only people who did not. The node then reads the whole list.',
					),
					eitherField(
						['Attendance', 'attended'],
						['Attended', 'Did Not Attend'],
						'Only people who attended the session, or only people who did not',
					),
				],
				own: {
					filter: 'filter[asked_question]',
					isMet(person, wanted, read) {
						const count = fieldsOf(person).get('questions_count');
						if (typeof count === 'number') return count > 0 === wanted;
						throw read.refusal(
							'The platform does not say how many questions people asked',
							"Remove the filter 'Asked a Question' and use 'Get Questions', which names the people who asked.",
						);
					},
				},
			}),
		},
		getQuestions: {
			action: 'Get questions of session',
			description: 'Retrieve the questions that attendees asked, with the answers given',
			...listOf('questions', '/sessions/{sessionId}/questions', {
				options: [
					choiceField(
						'include',
						{ asker: 'Who asked', responder: 'Who answered' },
						['asker', 'responder'],
						'Whose name and email to return with each question',
					),
				],
				query(read) {
					// Simplified, they name people unless told otherwise.
					const isUsual = read.simplify() && !('include' in read.chosen('options'));
					return isUsual ? { include: 'asker,responder' } : read.query('include');
				},
			}),
		},
		getRecordings: {
			action: 'Get recordings of session',
			description: 'Retrieve the recordings of a session, with links to the files',
			...listOf('recordings', '/sessions/{sessionId}/recordings', {
				options: [
					numberField(
						'urlExpiresIn',
						3600,
						'How long the links to the files work, from 3600 (an hour) to 604800 (a week)',
						{ displayName: 'Link Lifetime (Seconds)', typeOptions: { minValue: 3600 } },
					),
				],
			}),
		},
		update,
	},
};
