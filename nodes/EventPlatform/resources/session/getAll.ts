import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { includesOfSessions, queryOfSessions } from '../../parameters/includes';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { sessionFilters } from '../../parameters/sessionFilters';
import { pathTo } from '../../core/http/path';
import { manyRecords } from '../records';

/** Sessions of one event have a list of their own on the platform. */
const ofEvent: INodeProperties = {
	...eventLocator,
	required: false,
	description: 'Only the sessions of this event',
};

/** The sessions of all events. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'Retrieve the sessions of all events',
	fields: [
		...listFields,
		filters([...sessionFilters, ofEvent]),
		recordOptions('sessions', includesOfSessions),
	],
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
