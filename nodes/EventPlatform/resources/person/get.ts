import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { eventLocator, personLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

const ofEvent = {
	...eventLocator,
	required: false,
	description: 'Only find the person if they are registered for this event',
};

export const get: Operation = {
	value: 'get',
	action: 'Get person',
	description: 'Retrieve a person of the workspace',
	fields: [personLocator, ...recordFields('people', ofEvent)],
	overlapping: true,
	run(visit) {
		const { read } = visit;
		const id = read.id('personId');
		const path =
			'eventId' in read.chosen('options')
				? pathTo`/events/${read.id('options.eventId')}/people/${id}`
				: pathTo`/people/${id}`;
		return oneRecord(visit, { method: 'GET', path });
	},
};
