import type { Operation } from '../operation';
import { oneOf } from '../records';

export const getMe: Operation = {
	value: 'getMe',
	action: 'Get connected user',
	description: 'Retrieve the user of the credential. An API token needs the scope identity:read.',
	...oneOf('users', '/me'),
};
