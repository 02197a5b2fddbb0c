import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { oneRecord } from '../records';

export const getMe: Operation = {
	value: 'getMe',
	action: 'Get connected user',
	description: 'Retrieve the user of the credential. An API token needs the scope identity:read.',
	fields: recordFields('users'),
	run: (visit) => oneRecord(visit, { method: 'GET', path: '/me' }),
};
