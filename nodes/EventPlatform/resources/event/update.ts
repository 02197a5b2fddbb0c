import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { updateFields } from '../../parameters/collections';
import { eventFields } from '../../parameters/eventFields';
import { sorted } from '../../parameters/filterFields';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

const newTitle: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Product demo',
	description: 'Title of the event, as people see it',
};

/** Changes what is given and leaves the rest. */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update event',
	description: 'Change an event. Other fields stay the same.',
	fields: [
		eventLocator,
		updateFields(sorted([...eventFields, newTitle])),
		simplifyField,
		recordOptions('events'),
	],
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
