import type { Operation } from '../operation';
import { eventLocator } from '../../parameters/locators';
import { askedOfSessions, sessionFilters } from '../../parameters/sessionFields';
import { listOf, manyRecords } from '../records';

/** Sessions of one event have a list of their own on the platform. */
const ofEvent = {
	...eventLocator,
	required: false,
	description: 'Only the sessions of this event',
};

const ofAll = listOf('sessions', '/sessions', {
	filters: [...sessionFilters, ofEvent],
	...askedOfSessions,
});

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'Retrieve the sessions of all events',
	...ofAll,
	run(visit) {
		const { read } = visit;
		if (!('eventId' in read.filters())) return ofAll.run(visit);
		const path = read.path('/events/{filters.eventId}/sessions');
		return manyRecords(visit, path, askedOfSessions.query(read));
	},
};
