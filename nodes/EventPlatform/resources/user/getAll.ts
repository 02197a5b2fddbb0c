import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { eitherFilter } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { manyRecords } from '../records';

const userFilters: INodeProperties[] = [
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. nathan@example.com',
		description: 'Only the user with this email address',
	},
	eitherFilter(
		['Invitation', 'pendingInvite'],
		['Pending', 'Accepted'],
		'Only users whose invitation is pending, or accepted',
	),
	{
		displayName: 'Role',
		name: 'role',
		type: 'string',
		default: '',
		placeholder: 'e.g. host',
		description: 'Only users with this role',
	},
];

/** The team behind the workspace. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Retrieve the users of the workspace',
	fields: [...listFields, filters(userFilters), recordOptions('users')],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/users', visit.read.query());
	},
};
