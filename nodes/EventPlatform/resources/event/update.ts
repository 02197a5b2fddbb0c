import type { Operation } from '../operation';
import { eventFields, eventTitle } from '../../parameters/eventFields';
import { updateFields } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

export const update: Operation = {
	value: 'update',
	action: 'Update event',
	description: 'Change an event. Other fields stay the same.',
	fields: [eventLocator, updateFields([...eventFields, eventTitle]), ...recordFields('events')],
	run(visit) {
		const { read } = visit;
		const id = read.id('eventId');
		return oneRecord(visit, {
			method: 'PATCH',
			path: pathTo`/events/${id}`,
			body: document('events', attributes(read.changes()), { id }),
			repeatable: true,
		});
	},
};
