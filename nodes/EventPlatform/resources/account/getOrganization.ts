import type { Operation } from '../operation';
import { oneOf } from '../records';

export const getOrganization: Operation = {
	value: 'getOrganization',
	action: 'Get organization',
	description: 'Retrieve the organization that the credential belongs to',
	...oneOf('organizations', '/organization'),
};
