import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator, personLocator } from '../../parameters/locators';
import { oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

const ofEvent: INodeProperties = {
	...eventLocator,
	required: false,
	description: 'Only find the person if they are registered for this event',
};

/** One person of the workspace. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get person',
	description: 'Retrieve a person of the workspace',
	fields: [personLocator, simplifyField, recordOptions('people', ofEvent)],
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
