import type { Resource } from '../operation';
import { create } from './create';
import { deleteUser } from './delete';
import { getAll } from './getAll';

export const user: Resource = {
	value: 'user',
	name: 'User',
	description: 'A team member of the workspace',
	scope: 'admin',
	operations: [create, deleteUser, getAll],
	initial: getAll,
};
