import type { Operation } from '../operation';
import { includesOfEvents } from '../../parameters/eventFields';
import { recordFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

export const get: Operation = {
	value: 'get',
	action: 'Get event',
	description: 'Retrieve an event, with the fields of its registration form',
	fields: [eventLocator, ...recordFields('events', includesOfEvents)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const path = pathTo`/events/${read.id('eventId')}`;
		return oneRecord(visit, { method: 'GET', path, query: read.query('include') });
	},
};
