import type { Resource } from '../operation';
import { get } from './get';
import { getTasks } from './getTasks';
import { wait } from './wait';

export const job: Resource = {
	value: 'job',
	name: 'Job',
	description: 'A bulk registration that runs on the platform',
	operations: [get, getTasks, wait],
	initial: get,
};
