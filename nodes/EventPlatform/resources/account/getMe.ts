import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { oneRecord } from '../records';

export const getMe: Operation = {
	value: 'getMe',
	action: 'Get connected user',
	description:
		'Retrieve the user whom the credential acts for. An API token needs the identity scope for it.',
	fields: recordFields('users'),
	run: (visit) => oneRecord(visit, { method: 'GET', path: '/me' }),
};
