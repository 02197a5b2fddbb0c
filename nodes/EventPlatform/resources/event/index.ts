import { create, update } from './createAndUpdate';
import type { Resource } from '../operation';
import { creationOf, deletionOf, listOf, oneOf } from '../records';
import { choiceField, eitherField, neededText, textField } from '../../parameters/field';
import { eventLocator } from '../../parameters/locators';
import { textsIn } from '../../parameters/given';
import {
	askedOfSessions,
	createdAndUpdated,
	peopleFilters,
	sessionFilters,
} from '../../parameters/sharedFields';

const include = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);

const tagTitle = neededText('tag', 'Title of the tag', 'customers');

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
			...oneOf('events', '/events/{eventId}', { options: [include] }),
		},
		getAll: {
			action: 'Get many events',
			description: 'Retrieve the events of the workspace',
			...listOf('events', '/events', {
				filters: [
					...createdAndUpdated,
					eitherField(
						['Speakers', 'everyoneCanSpeak'],
						['Everyone', 'The Team Only'],
						'Only events in which these people can use microphone and camera',
					),
					choiceField(
						'schedulingStatus',
						'cancelled draft ended live not_scheduled not_started on_demand upcoming'.split(' '),
						'upcoming',
						'Only events in this state',
					),
					textField('tag', 'Only events with one of these tags, separated by commas', {
						displayName: 'Tags',
						placeholder: 'e.g. customers,product',
					}),
					textField('title', 'Only events with this text in their title', 'Product demo'),
				],
				options: [include],
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
		update,
	},
};
