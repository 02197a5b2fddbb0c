import type { Resource } from '../operation';
import { getAll } from './getAll';

export const personAttribute: Resource = {
	value: 'personAttribute',
	name: 'Person Attribute',
	description: 'A field that registration forms can ask for',
	operations: [getAll],
	initial: getAll,
};
