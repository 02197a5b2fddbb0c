import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { oneRecord } from '../records';

export const getOrganization: Operation = {
	value: 'getOrganization',
	action: 'Get organization',
	description: 'Retrieve the organization that the credential belongs to',
	fields: recordFields('organizations'),
	run: (visit) => oneRecord(visit, { method: 'GET', path: '/organization' }),
};
