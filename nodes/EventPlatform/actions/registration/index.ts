import type { Resource } from '../operation';
import { bulkRegister } from './bulkRegister';
import { get } from './get';
import { register } from './register';
import { sync } from './sync';
import { unregister } from './unregister';
import { update } from './update';

export const registration: Resource = {
	description: 'People signing up for a session',
	initial: 'register',
	operations: { bulkRegister, get, register, sync, unregister, update },
};
