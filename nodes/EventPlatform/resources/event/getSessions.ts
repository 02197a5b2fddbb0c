import type { Operation } from '../operation';
import { listFields } from '../../parameters/listFields';
import { eventLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** The dates of an event. */
export const getSessions: Operation = {
	value: 'getSessions',
	name: 'Get Sessions',
	action: 'Get the sessions of an event',
	description: 'Retrieve the sessions of an event, one for each date',
	fields: [eventLocator, ...listFields],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, pathTo`/events/${visit.read.id('eventId')}/sessions`);
	},
};
