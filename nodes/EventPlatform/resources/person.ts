import { peopleFilters } from '../parameters/sharedFields';
import { eventLocator, optional } from '../parameters/locators';
import type { Resource } from './operation';
import { listOf, oneOf } from './records';

export const person: Resource = {
	description: 'A person in the workspace',
	operations: {
		get: {
			action: 'Get person',
			description: 'Retrieve a person of the workspace',
			...oneOf('people', '[/events/{options.eventId}]/people/{personId}', {
				options: [
					optional(eventLocator, 'Only find the person if they are registered for this event'),
				],
			}),
		},
		getAll: {
			action: 'Get many people of all sessions',
			description: 'Retrieve all people of the workspace',
			...listOf('people', '/people', { filters: peopleFilters }),
		},
	},
};
