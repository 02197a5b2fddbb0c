import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { oneRecord } from '../records';

/** The organization of the credential. */
export const getOrganization: Operation = {
	value: 'getOrganization',
	name: 'Get Organization',
	action: 'Get the organization',
	description: 'Retrieve the organization that the credential belongs to',
	fields: [simplifyField, recordOptions('organizations')],
	run(visit) {
		return oneRecord(visit, { method: 'GET', path: '/organization' });
	},
};
