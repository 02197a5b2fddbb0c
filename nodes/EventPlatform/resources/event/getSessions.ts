import type { Operation } from '../operation';
import { listFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import {
	includesOfSessions,
	queryOfSessions,
	sessionFilters,
} from '../../parameters/sessionFields';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

export const getSessions: Operation = {
	value: 'getSessions',
	action: 'Get sessions of event',
	description: 'Retrieve the sessions of an event, one for each date',
	fields: [eventLocator, ...listFields('sessions', sessionFilters, includesOfSessions)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/events/${read.id('eventId')}/sessions`;
		return manyRecords(visit, path, queryOfSessions(read));
	},
};
