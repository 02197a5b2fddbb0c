import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { oneRecord } from '../records';

/** Who the credential acts for. */
export const getMe: Operation = {
	value: 'getMe',
	name: 'Get Me',
	action: 'Get the connected user',
	description:
		'Retrieve the user whom the credential acts for. An API token needs the identity scope for it.',
	fields: [simplifyField, recordOptions('users')],
	run(visit) {
		return oneRecord(visit, { method: 'GET', path: '/me' });
	},
};
