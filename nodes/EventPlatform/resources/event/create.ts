import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { additionalFields } from '../../parameters/collections';
import { eventFields } from '../../parameters/eventFields';
import { formQuestions, readFormQuestions } from '../../parameters/formQuestions';
import { sorted } from '../../parameters/filterFields';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import type { Read } from '../../parameters/read';
import {
	plannedStart,
	sessionAttributes,
	sessionName,
	timezone,
} from '../../parameters/sessionFields';
import { text } from '../../core/http/text';
import { document, oneRecord } from '../records';

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Product demo',
	description: 'Title of the event, as people see it',
};

const copyFrom: INodeProperties = {
	...eventLocator,
	displayName: 'Copy From Event',
	name: 'copyFromEventId',
	required: false,
	description: 'An event whose settings the new one takes over',
};

const sessions: INodeProperties = {
	displayName: 'Sessions',
	name: 'sessions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Session',
	default: {},
	description: 'Dates of the event. More can be added later.',
	options: [
		{
			displayName: 'Session',
			name: 'session',
			values: [plannedStart, timezone, sessionName],
		},
	],
};

/** Creates an event, with its sessions when they are known already. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an event',
	description: 'Create an event, with its sessions if their dates are known',
	fields: [
		title,
		sessions,
		additionalFields(sorted([...eventFields, copyFrom, formQuestions])),
		simplifyField,
		recordOptions('events'),
	],
	run(visit) {
		const { read } = visit;
		const planned = plannedSessions(read);
		const { registrationForm, ...chosen } = read.filled('additionalFields');
		const form = readFormQuestions({ registrationForm });
		return oneRecord(visit, {
			method: 'POST',
			path: '/events',
			body: document(
				'events',
				{ title: read.needed('title'), ...attributes(chosen), ...(form && { fields: form }) },
				planned.length > 0 ? { relationships: { sessions: planned } } : {},
			),
		});
	},
};

function plannedSessions(read: Read) {
	const rows = (read.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ estimatedStartedAt, timezone: given, name }) => {
		const zone = text(given) || read.zone;
		const chosen = { estimatedStartedAt, timezone: zone, name: text(name) || undefined };
		return { type: 'sessions', attributes: sessionAttributes(chosen, zone, read) };
	});
}
