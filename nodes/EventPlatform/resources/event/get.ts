import type { Operation } from '../operation';
import { includesOfEvents } from '../../parameters/eventFields';
import { oneOf } from '../records';

export const get: Operation = {
	value: 'get',
	action: 'Get event',
	description: 'Retrieve an event, with the fields of its registration form',
	...oneOf('events', '/events/{eventId}', { options: [includesOfEvents] }),
};
