import { eventFields, eventFilters, eventTitle, includesOfEvents, tagTitle } from './fields';
import { create } from './create';
import type { Resource } from '../operation';
import { creationOf, deletionOf, listOf, oneOf, writingOf } from '../records';
import { updateFields } from '../../parameters/field';
import { peopleFilters } from '../../parameters/filterFields';
import { eventLocator } from '../../parameters/locators';
import { textsIn } from '../../parameters/given';
import { attributes } from '../../parameters/names';
import { askedOfSessions, sessionFilters } from '../../parameters/sessionFields';

export const event: Resource = {
	description: 'A webinar or meeting, held in one or more sessions',
	operations: {
		addTag: {
			action: 'Add tag to event',
			description: 'Add a tag to an event. If the tag does not exist, it is created.',
			...creationOf('tags', '/events/{eventId}/tags', { title: tagTitle }),
		},
		create,
		delete: {
			action: 'Delete event',
			description: 'Delete an event and its sessions permanently',
			...deletionOf('/events/{eventId}', { fields: ['title'] }),
		},
		get: {
			action: 'Get event',
			description: 'Retrieve an event, with the fields of its registration form',
			...oneOf('events', '/events/{eventId}', { options: [includesOfEvents] }),
		},
		getAll: {
			action: 'Get many events',
			description: 'Retrieve the events of the workspace',
			...listOf('events', '/events', {
				filters: eventFilters,
				options: [includesOfEvents],
				query(read) {
					const query = read.query('include');
					const tags = textsIn(query['filter[tag]']).join(',');
					return tags === '' ? query : { ...query, 'filter[tag]': tags };
				},
			}),
		},
		getPeople: {
			action: 'Get people of event',
			description: 'Retrieve the people of all sessions of an event',
			...listOf('registrants', '/events/{eventId}/people', { filters: peopleFilters }),
		},
		getSessions: {
			action: 'Get sessions of event',
			description: 'Retrieve the sessions of an event, one for each date',
			...listOf('sessions', '/events/{eventId}/sessions', {
				filters: sessionFilters,
				...askedOfSessions,
			}),
		},
		removeTag: {
			action: 'Remove tag from event',
			description: 'Remove a tag from an event. Other events keep it.',
			fields: [eventLocator, tagTitle],
			async run({ api, read }) {
				const path = read.path('/events/{eventId}/tags');
				const body = { data: { type: 'tags', attributes: { title: read.needed('tag') } } };
				await api({ method: 'DELETE', path, body });
				return { deleted: true };
			},
		},
		update: {
			action: 'Update event',
			description: 'Change an event. Other fields stay the same.',
			...writingOf(
				'PATCH',
				'events',
				'/events/{eventId}',
				[updateFields([...eventFields, eventTitle])],
				({ read }) => ({ id: read.id('eventId'), attributes: attributes(read.changes()) }),
			),
		},
	},
};
