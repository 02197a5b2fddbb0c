import { changedAttributes } from '../../fields/requestParts';
import type { Resource } from '../operation';
import { deletionOf } from '../deletion';
import { listOf } from '../listOperation';
import { recordOf } from '../recordOperation';
import { updateFields } from '../../fields/fieldBuilders';
import { sessionRecordSettings, sessionFilters } from '../../fields/sessionFields';
import { peopleFilters } from '../../fields/sharedFields';
import { create } from './create';
import { eventFields, eventTitle, includeField, tagTitle } from './eventFields';
import { getAll } from './getAll';
import { getReport } from './getReport';
import { removeTag } from './removeTag';

export const event: Resource = {
	description: 'A webinar or meeting',
	operations: {
		addTag: recordOf('POST', 'tags', '/events/{eventId}/tags', {
			action: 'Add tag to event',
			description: 'Add a tag to an event. If the tag does not exist, it is created.',
			fields: [tagTitle],
			content: ({ parameters }) => ({ attributes: { title: parameters.needed('tag') } }),
		}),
		create,
		delete: deletionOf('/events/{eventId}', {
			action: 'Delete event',
			description: 'Delete an event and its sessions permanently',
		}),
		get: recordOf('GET', 'events', '/events/{eventId}', {
			action: 'Get event',
			description: 'Retrieve an event, with the fields of its registration form',
			options: [includeField],
		}),
		getAll,
		getPeople: listOf('registrants', '/events/{eventId}/people', {
			action: 'Get people of event',
			description: 'Retrieve the people of all sessions of an event',
			filters: peopleFilters,
		}),
		getReport,
		getSessions: listOf('sessions', '/events/{eventId}/sessions', {
			action: 'Get sessions of event',
			description: 'Retrieve the sessions of an event, one for each date',
			filters: sessionFilters,
			...sessionRecordSettings,
		}),
		removeTag,
		update: recordOf('PATCH', 'events', '/events/{eventId}', {
			action: 'Update event',
			description: 'Change an event. Other fields stay the same.',
			fields: [updateFields([...eventFields, eventTitle])],
			content: ({ parameters }) => ({
				id: parameters.id('eventId'),
				attributes: changedAttributes(parameters),
			}),
		}),
	},
};
