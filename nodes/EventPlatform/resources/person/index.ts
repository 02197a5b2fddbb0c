import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const person: Resource = {
	value: 'person',
	name: 'Person',
	description: 'Somebody known to the workspace, in any session',
	operations: [get, getAll],
	initial: getAll,
};
