import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';
import { includes } from './includes';

/** One event with its registration form. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an event',
	description: 'Retrieve an event, with the fields of its registration form',
	fields: [eventLocator, simplifyField, recordOptions('events', includes)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'GET',
			path: pathTo`/events/${read.id('eventId')}`,
			query: read.query('include'),
		});
	},
};
