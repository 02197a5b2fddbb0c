import type { Operation } from '../operation';
import { askedOfSessions } from '../../parameters/sessionFields';
import { oneOf } from '../records';

export const get: Operation = {
	value: 'get',
	action: 'Get session',
	description: 'Retrieve a session with its dates, status and numbers of people',
	...oneOf('sessions', '/sessions/{sessionId}', askedOfSessions),
};
