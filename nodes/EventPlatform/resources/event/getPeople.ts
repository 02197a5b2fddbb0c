import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { peopleFilters } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** Everybody in any session of an event. */
export const getPeople: Operation = {
	value: 'getPeople',
	name: 'Get People',
	action: 'Get people of event',
	description: 'Retrieve the people of all sessions of an event',
	fields: [eventLocator, ...listFields, filters(peopleFilters), recordOptions('registrants')],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return manyRecords(visit, pathTo`/events/${read.id('eventId')}/people`, read.query());
	},
};
