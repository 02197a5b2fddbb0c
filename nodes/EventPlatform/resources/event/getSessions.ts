import type { Operation } from '../operation';
import { askedOfSessions, sessionFilters } from '../../parameters/sessionFields';
import { listOf } from '../records';

export const getSessions: Operation = {
	value: 'getSessions',
	action: 'Get sessions of event',
	description: 'Retrieve the sessions of an event, one for each date',
	...listOf('sessions', '/events/{eventId}/sessions', {
		filters: sessionFilters,
		...askedOfSessions,
	}),
};
