import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const person: Resource = {
	value: 'person',
	name: 'Person',
	description: 'A person in the workspace',
	operations: [get, getAll],
	initial: getAll,
};
