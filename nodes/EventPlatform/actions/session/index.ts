import { downloadRecording } from './downloadRecording';
import { getCalendarFile } from './getCalendarFile';
import type { Resource } from '../operation';
import { sessionReport } from '../report';
import type { ItemContext } from '../runContext';
import { deletionOf, listOf, recordOf } from '../records';
import { namesItsZone } from '../../fields/dates';
import {
	additionalFields,
	choiceField,
	eitherField,
	numberField,
	textField,
	updateFields,
} from '../../fields/field';
import { textsIn } from '../../fields/nodeParameters';
import { eventLocator, optional, timezoneLocator } from '../../fields/locators';
import {
	askedOfSessions,
	joinLinkOption,
	peopleFilters,
	plannedStart,
	sessionAttributes,
	sessionFilters,
	sessionNameField,
} from '../../fields/sharedFields';
import { text } from '../../core/values/text';
import { attributesOf, getRecord } from '../../core/client/document';
import type { Query } from '../../fields/itemParameters';
import { fieldsOf } from '../../core/records/simplify';

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

export const session: Resource = {
	description: 'One date of an event, which people register for',
	operations: {
		create: recordOf('POST', 'sessions', '/events/{eventId}/sessions', {
			action: 'Create session',
			description: 'Add a session to an event',
			fields: [
				{ ...plannedStart, required: true },
				timezoneLocator,
				additionalFields([embedUrl, sessionNameField, teamMembers]),
			],
			content(item) {
				const { parameters } = item;
				const zone = parameters.text('timezone') || parameters.zone;
				const { team_members: team, ...others } = parameters.toSend('additionalFields');
				const start = parameters.date('estimatedStartedAt');
				const people = textsIn(team).map((id) => ({
					data: { type: 'people', id, role: 'team_member' },
				}));
				return {
					attributes: sessionAttributes(start, { ...others, timezone: zone }, zone, item),
					...(people.length > 0 && { relationships: { people } }),
				};
			},
		}),
		delete: deletionOf('/sessions/{sessionId}', {
			action: 'Delete session',
			description:
				'Delete a session permanently. The API cannot cancel sessions. To cancel one, use the platform.',
			named: {
				fields: ['event_title', 'name', 'estimated_started_at'],
				unasked: { include: 'event' },
			},
		}),
		downloadRecording,
		get: recordOf('GET', 'sessions', '/sessions/{sessionId}', {
			action: 'Get session',
			description: 'Retrieve a session with its dates, status and numbers of people',
			...askedOfSessions,
		}),
		getCalendarFile,
		getChatMessages: listOf('chat_messages', '/sessions/{sessionId}/chat_messages', {
			action: 'Get chat messages of session',
			description: 'Retrieve the chat messages of a session',
		}),
		getAll: listOf('sessions', '[/events/{filters.eventId}]/sessions', {
			action: 'Get many sessions',
			description: 'Retrieve sessions of the workspace',
			filters: [
				...sessionFilters,
				// Sessions of one event have a list of their own on the platform.
				optional(eventLocator, 'Only the sessions of this event'),
			],
			...askedOfSessions,
		}),
		getPeople: listOf('registrants', '/sessions/{sessionId}/people', {
			action: 'Get people of session',
			description: 'Retrieve the people of a session, with their answers and attendance',
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
			options: [joinLinkOption],
			query: (read) => read.query(),
			own: {
				filter: 'filter[asked_question]',
				isMet(person, wanted, parameters) {
					const count = fieldsOf(person).get('questions_count');
					if (typeof count === 'number') return count > 0 === wanted;
					throw parameters.refusal(
						'The platform does not say how many questions people asked',
						"Remove the filter 'Asked a Question' and use 'Get Questions', which names the people who asked.",
					);
				},
			},
		}),
		getQuestions: listOf('questions', '/sessions/{sessionId}/questions', {
			action: 'Get questions of session',
			description: 'Retrieve the questions that attendees asked, with the answers given',
			options: [
				choiceField(
					'include',
					{ asker: 'Who asked', responder: 'Who answered' },
					['asker', 'responder'],
					'Whose name and email to return with each question',
				),
			],
			unasked(parameters): Query {
				// Simplified, they name people unless told otherwise.
				const isUsual = parameters.simplify() && !('include' in parameters.chosen('options'));
				return isUsual ? { include: 'asker,responder' } : {};
			},
		}),
		getRecordings: listOf('recordings', '/sessions/{sessionId}/recordings', {
			action: 'Get recordings of session',
			description:
				"Retrieve the recordings of a session, with links to the files. A link stops working at its 'url_expires_at': to keep a file, use 'Download Recording'.",
			options: [
				numberField(
					'urlExpiresIn',
					3600,
					'How long the links to the files work, from 3600 (an hour) to 604800 (a week)',
					{ displayName: 'Link Lifetime (Seconds)', typeOptions: { minValue: 3600 } },
				),
			],
		}),
		getReport: sessionReport,
		update: recordOf('PATCH', 'sessions', '/sessions/{sessionId}', {
			action: 'Update session',
			description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
			fields: [
				updateFields([
					embedUrl,
					sessionNameField,
					plannedStart,
					{ ...timezoneLocator, description: 'Time zone of the session' },
				]),
			],
			async content(item) {
				const { parameters } = item;
				const { estimated_started_at: start, ...others } = parameters.changes();
				const zone = text(others.timezone) || (await zoneFor(start, item));
				const attributes = sessionAttributes(start, others, zone, item);
				return { id: parameters.id('sessionId'), attributes };
			},
		}),
	},
};

/** A start is written in the zone of the session, which has to be asked for when it is not given. */
async function zoneFor(start: unknown, { api, parameters }: ItemContext): Promise<string> {
	if (!start || !namesItsZone(start)) return parameters.zone;
	const { timezone: own } = attributesOf(
		await getRecord(api, parameters.path('/sessions/{sessionId}')),
	);
	return typeof own === 'string' ? own : parameters.zone;
}
