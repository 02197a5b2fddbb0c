import type { Operation } from '../operation';
import { userLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Takes a user out of the team. */
export const deleteUser: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete user',
	description: 'Delete a user permanently from the team of the workspace',
	fields: [userLocator],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/users/${read.id('userId')}` });
	},
};
