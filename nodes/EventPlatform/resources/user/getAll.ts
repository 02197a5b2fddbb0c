import type { Operation } from '../operation';
import { eitherField, textField } from '../../parameters/field';
import { listOf } from '../records';

const userFilters = [
	textField('email', 'Only the user with this email address', {
		placeholder: 'e.g. nathan@example.com',
	}),
	eitherField(
		['Invitation', 'pendingInvite'],
		['Pending', 'Accepted'],
		'Only users whose invitation is pending, or accepted',
	),
	textField('role', 'Only users with this role', { placeholder: 'e.g. host' }),
];

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Retrieve the users of the workspace',
	...listOf('users', '/users', { filters: userFilters }),
};
