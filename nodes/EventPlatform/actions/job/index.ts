import type { Resource } from '../operation';
import { get } from './get';
import { getTasks } from './getTasks';
import { wait } from './wait';

export const job: Resource = {
	description: 'A bulk registration that runs in Livestorm',
	initial: 'get',
	operations: { get, getTasks, wait },
};
