import type { Operation } from '../operation';
import { peopleFilters } from '../../parameters/filterFields';
import { listOf } from '../records';

export const getPeople: Operation = {
	value: 'getPeople',
	action: 'Get people of event',
	description: 'Retrieve the people of all sessions of an event',
	...listOf('registrants', '/events/{eventId}/people', { filters: peopleFilters }),
};
