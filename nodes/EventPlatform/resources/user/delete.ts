import type { Operation } from '../operation';
import { userLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

export const deleteUser: Operation = {
	value: 'delete',
	action: 'Delete user',
	description: 'Delete a user permanently',
	fields: [userLocator],
	run({ api, read }) {
		const id = read.id('userId');
		return deletion(api, { path: pathTo`/users/${id}` }, { id });
	},
};
