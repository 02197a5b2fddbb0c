import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { oneRecord } from '../records';

/** Who the credential acts for. */
export const getMe: Operation = {
	value: 'getMe',
	name: 'Get Me',
	action: 'Get the connected user',
	description: 'Retrieve the user whom the OAuth2 credential acts for. Works with OAuth2 only.',
	fields: [simplifyField],
	run(visit) {
		return oneRecord(visit, { method: 'GET', path: '/me' });
	},
};
