import { downloadRecording } from './downloadRecording';
import { getCalendarFile } from './getCalendarFile';
import type { Resource } from '../operation';
import { deletionOf } from '../deletion';
import { listOf } from '../listOperation';
import { recordOf } from '../recordOperation';
import { numberField } from '../../fields/fieldBuilders';
import { eventLocator, optionalLocator } from '../../fields/locators';
import { sessionRecordSettings, sessionFilters } from '../../fields/sessionFields';
import { create } from './create';
import { getPeople } from './getPeople';
import { getQuestions } from './getQuestions';
import { getReport } from './getReport';
import { update } from './update';

export const session: Resource = {
	description: 'One date of an event',
	operations: {
		create,
		delete: deletionOf('/sessions/{sessionId}', {
			action: 'Delete session',
			description:
				'Delete a session permanently. The API cannot cancel sessions: do that in Livestorm.',
		}),
		downloadRecording,
		get: recordOf('GET', 'sessions', '/sessions/{sessionId}', {
			action: 'Get session',
			description: 'Retrieve a session with its dates, status and numbers of people',
			...sessionRecordSettings,
		}),
		getCalendarFile,
		getChatMessages: listOf('chat_messages', '/sessions/{sessionId}/chat_messages', {
			action: 'Get chat messages of session',
			description: 'Retrieve the chat messages of a session',
		}),
		getAll: listOf('sessions', '/sessions', {
			action: 'Get many sessions',
			description: 'Retrieve sessions of the workspace',
			filters: [
				...sessionFilters,
				// Sessions of one event have a list of their own on the platform.
				optionalLocator(eventLocator, 'Only the sessions of this event'),
			],
			...sessionRecordSettings,
		}),
		getPeople,
		getQuestions,
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
		getReport,
		update,
	},
};
