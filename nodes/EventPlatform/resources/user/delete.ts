import type { Operation } from '../operation';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Takes a user out of the team. */
export const deleteUser: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a user',
	description: 'Take a user out of the team of the workspace',
	fields: [
		{
			displayName: 'User ID',
			name: 'userId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 9b2e7f64-0d1c-4f6e-8a58-3f1f0c2d4e5a',
			description: 'ID of the user, as "Get Many" returns it',
		},
	],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/users/${read.id('userId')}` });
	},
};
