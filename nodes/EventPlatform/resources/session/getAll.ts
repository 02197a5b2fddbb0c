import type { Operation } from '../operation';
import { listFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import {
	includesOfSessions,
	queryOfSessions,
	sessionFilters,
} from '../../parameters/sessionFields';
import { pathTo } from '../../core/http/path';
import { manyRecords } from '../records';

/** Sessions of one event have a list of their own on the platform. */
const ofEvent = {
	...eventLocator,
	required: false,
	description: 'Only the sessions of this event',
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'Retrieve the sessions of all events',
	fields: listFields('sessions', [...sessionFilters, ofEvent], includesOfSessions),
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path =
			'eventId' in read.filters()
				? pathTo`/events/${read.id('filters.eventId')}/sessions`
				: '/sessions';
		return manyRecords(visit, path, queryOfSessions(read));
	},
};
