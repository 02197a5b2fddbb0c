import type { Operation } from '../operation';
import { peopleFilters } from '../../parameters/filterFields';
import { listFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

export const getPeople: Operation = {
	value: 'getPeople',
	action: 'Get people of event',
	description: 'Retrieve the people of all sessions of an event',
	fields: [eventLocator, ...listFields('registrants', peopleFilters)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return manyRecords(visit, pathTo`/events/${read.id('eventId')}/people`, read.query());
	},
};
