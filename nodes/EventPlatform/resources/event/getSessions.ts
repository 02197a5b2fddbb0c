import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { includesOfSessions, queryOfSessions } from '../../parameters/includes';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { sessionFilters } from '../../parameters/sessionFilters';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** The dates of an event. */
export const getSessions: Operation = {
	value: 'getSessions',
	name: 'Get Sessions',
	action: 'Get the sessions of an event',
	description: 'Retrieve the sessions of an event, one for each date',
	fields: [
		eventLocator,
		...listFields,
		filters(sessionFilters),
		recordOptions('sessions', includesOfSessions),
	],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/events/${read.id('eventId')}/sessions`;
		return manyRecords(visit, path, queryOfSessions(read));
	},
};
