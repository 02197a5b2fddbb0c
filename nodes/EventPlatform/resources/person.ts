import { peopleFilters } from '../parameters/filterFields';
import { eventLocator, personLocator } from '../parameters/locators';
import { recordFields } from '../parameters/recordFields';
import type { Operation, Resource } from './operation';
import { listOf, oneRecord } from './records';

const ofEvent = {
	...eventLocator,
	required: false,
	description: 'Only find the person if they are registered for this event',
};

const get: Operation = {
	value: 'get',
	action: 'Get person',
	description: 'Retrieve a person of the workspace',
	fields: [personLocator, ...recordFields('people', ofEvent)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const isOfEvent = 'eventId' in read.chosen('options');
		const path = isOfEvent ? '/events/{options.eventId}/people/{personId}' : '/people/{personId}';
		return oneRecord(visit, { method: 'GET', path: read.path(path) });
	},
};

const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people of all sessions',
	description: 'Retrieve all people of the workspace',
	...listOf('people', '/people', { filters: peopleFilters }),
};

export const person: Resource = {
	value: 'person',
	name: 'Person',
	description: 'A person in the workspace',
	operations: [get, getAll],
	initial: getAll,
};
