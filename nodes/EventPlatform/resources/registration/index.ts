import type { Resource } from '../operation';
import { bulkRegister } from './bulkRegister';
import { register } from './register';
import { unregister } from './unregister';

export const registration: Resource = {
	value: 'registration',
	name: 'Registration',
	description: 'People signing up for a session',
	operations: [register, bulkRegister, unregister],
	initial: register,
};
