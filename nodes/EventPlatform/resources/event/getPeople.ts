import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { emailFilter, roleFilter } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { manyRecords } from '../records';
import { pathTo } from '../../core/http/path';

/** Everybody in any session of an event. */
export const getPeople: Operation = {
	value: 'getPeople',
	name: 'Get People',
	action: 'Get the people of an event',
	description: 'Retrieve everybody who is in any session of an event',
	fields: [
		eventLocator,
		...listFields,
		filters([emailFilter, roleFilter]),
		recordOptions('registrants'),
	],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return manyRecords(visit, pathTo`/events/${read.id('eventId')}/people`, read.query());
	},
};
