import { peopleFilters } from '../../fields/sharedFields';
import { eventLocator, optionalLocator } from '../../fields/locators';
import type { Resource } from '../operation';
import { listOf } from '../listOperation';
import { recordOf } from '../recordOperation';

export const person: Resource = {
	description: 'A person in the workspace',
	operations: {
		get: recordOf('GET', 'people', '/people/{personId}', {
			action: 'Get person',
			description: 'Retrieve a person of the workspace',
			options: [
				optionalLocator(eventLocator, 'Only find the person if they are registered for this event'),
			],
		}),
		getAll: listOf('people', '/people', {
			action: 'Get many people',
			description: 'Retrieve people of the workspace',
			filters: peopleFilters,
		}),
	},
};
