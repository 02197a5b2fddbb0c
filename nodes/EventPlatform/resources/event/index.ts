import { eventFields, eventFilters, eventTitle, includesOfEvents, tagTitle } from './fields';
import { create } from './create';
import type { Operation, Resource } from '../operation';
import { creationOf, deletion, document, listOf, oneOf, oneRecord } from '../records';
import { updateFields } from '../../parameters/field';
import { peopleFilters } from '../../parameters/filterFields';
import { eventLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import { recordFields } from '../../parameters/recordFields';
import { askedOfSessions, sessionFilters } from '../../parameters/sessionFields';
import { attributesOf, getRecord } from '../../core/http/jsonApi';

const addTag: Operation = {
	value: 'addTag',
	action: 'Add tag to event',
	description: 'Add a tag to an event. If the tag does not exist, it is created.',
	...creationOf('tags', '/events/{eventId}/tags', { title: tagTitle }),
};

const deleteEvent: Operation = {
	value: 'delete',
	action: 'Delete event',
	description: 'Delete an event and its sessions permanently',
	fields: [eventLocator],
	async run({ api, read }) {
		const path = read.path('/events/{eventId}');
		const { title = null } = attributesOf(await getRecord(api, path));
		return await deletion(api, { path }, { id: read.id('eventId'), title });
	},
};

const get: Operation = {
	value: 'get',
	action: 'Get event',
	description: 'Retrieve an event, with the fields of its registration form',
	...oneOf('events', '/events/{eventId}', { options: [includesOfEvents] }),
};

const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many events',
	description: 'Retrieve the events of the workspace',
	...listOf('events', '/events', { filters: eventFilters, options: [includesOfEvents] }),
};

const getPeople: Operation = {
	value: 'getPeople',
	action: 'Get people of event',
	description: 'Retrieve the people of all sessions of an event',
	...listOf('registrants', '/events/{eventId}/people', { filters: peopleFilters }),
};

const getSessions: Operation = {
	value: 'getSessions',
	action: 'Get sessions of event',
	description: 'Retrieve the sessions of an event, one for each date',
	...listOf('sessions', '/events/{eventId}/sessions', {
		filters: sessionFilters,
		...askedOfSessions,
	}),
};

const removeTag: Operation = {
	value: 'removeTag',
	action: 'Remove tag from event',
	description: 'Remove a tag from an event. Other events keep it.',
	fields: [eventLocator, tagTitle],
	run({ api, read }) {
		const path = read.path('/events/{eventId}/tags');
		return deletion(api, { path, body: document('tags', { title: read.needed('tag') }) });
	},
};

const update: Operation = {
	value: 'update',
	action: 'Update event',
	description: 'Change an event. Other fields stay the same.',
	fields: [eventLocator, updateFields([...eventFields, eventTitle]), ...recordFields('events')],
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'PATCH',
			path: read.path('/events/{eventId}'),
			body: document('events', attributes(read.changes()), { id: read.id('eventId') }),
			repeatable: true,
		});
	},
};

export const event: Resource = {
	value: 'event',
	name: 'Event',
	description: 'A webinar or meeting, held in one or more sessions',
	operations: [addTag, create, deleteEvent, get, getAll, getPeople, getSessions, removeTag, update],
	initial: getAll,
};
