import type { Operation } from '../operation';
import { peopleFilters } from '../../parameters/filterFields';
import { listOf } from '../records';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people of all sessions',
	description: 'Retrieve all people of the workspace',
	...listOf('people', '/people', { filters: peopleFilters }),
};
