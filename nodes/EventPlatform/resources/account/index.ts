import type { Resource } from '../operation';
import { getMe } from './getMe';
import { getOrganization } from './getOrganization';
import { getUsage } from './getUsage';
import { ping } from './ping';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'The connected account and its organization',
	scope: 'identity',
	operations: [getMe, getOrganization, getUsage, ping],
	initial: getOrganization,
};
