import type { Resource } from '../operation';
import { recordOf } from '../recordOperation';
import { getUsage } from './getUsage';
import { ping } from './ping';

export const account: Resource = {
	description: 'The account and its organization',
	scope: 'identity',
	initial: 'getOrganization',
	operations: {
		getMe: recordOf('GET', 'users', '/me', {
			action: 'Get connected user',
			description:
				'Retrieve the user of the credential. An API token needs the scope identity:read.',
		}),
		getOrganization: recordOf('GET', 'organizations', '/organization', {
			action: 'Get organization',
			description: 'Retrieve the organization that the credential belongs to',
		}),
		getUsage,
		ping,
	},
};
