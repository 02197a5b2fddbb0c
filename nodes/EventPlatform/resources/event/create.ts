import type { IDataObject } from 'n8n-workflow';
import { eventFields, eventTitle } from './fields';
import { formQuestions, readFormQuestions } from './formQuestions';
import type { Operation, Visit } from '../operation';
import { document, oneRecord } from '../records';
import { withDates } from '../../parameters/dates';
import { additionalFields, rowsField } from '../../parameters/field';
import { eventLocator, timezoneLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import type { Read } from '../../parameters/read';
import { recordFields } from '../../parameters/recordFields';
import { plannedStart, sessionAttributes, sessionName } from '../../parameters/sessionFields';
import { Failure } from '../../core/http/failure';
import { isObject } from '../../core/http/json';
import { attributesOf } from '../../core/http/jsonApi';
import { listRecords } from '../../core/http/paginate';
import { pathTo } from '../../core/http/path';
import { text } from '../../core/http/text';

const copyFrom = {
	...eventLocator,
	displayName: 'Copy From Event',
	name: 'copyFromEventId',
	required: false,
	description: 'Event to copy the settings from',
};

const sessions = rowsField(
	'sessions',
	'session',
	[plannedStart, timezoneLocator, sessionName],
	'Dates of the event. You can add more later.',
);

export const create: Operation = {
	value: 'create',
	action: 'Create event',
	description: 'Create an event, optionally with its sessions',
	fields: [
		{ ...eventTitle, required: true },
		sessions,
		additionalFields([...eventFields, copyFrom, formQuestions]),
		...recordFields('events'),
	],
	async run(visit) {
		const { read } = visit;
		const planned = plannedSessions(read);
		const { registrationForm, ...chosen } = read.filled('additionalFields');
		const fields = readFormQuestions(registrationForm);
		const event = await oneRecord(visit, {
			method: 'POST',
			path: '/events',
			body: document(
				'events',
				{ title: read.needed('title'), ...attributes({ ...chosen, fields }) },
				planned.length > 0 ? { relationships: { sessions: planned } } : {},
			),
		});
		if (planned.length === 0 || !read.simplify()) return event;
		return { ...event, sessions: await createdSessions(text(event.id), visit) };
	},
};

/** With their IDs people can be registered next. The event stands, so no failure here is one of the item. */
async function createdSessions(eventId: string, { api, read, signal, hint }: Visit) {
	const path = pathTo`/events/${eventId}/sessions`;
	const records = await listRecords(api, path, {}, signal).catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		hint("The event was created, but its sessions could not be read. Use 'Get Sessions'.");
		return [];
	});
	return records.map((session) => {
		const { estimated_started_at = null, timezone = null } = attributesOf(session);
		return withDates({ id: session.id ?? null, estimated_started_at, timezone }, read.zone);
	});
}

function plannedSessions(read: Read) {
	const rows = (read.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ estimatedStartedAt, timezone: given, name }) => {
		const zone = text(isObject(given) ? given.value : given).trim() || read.zone;
		const chosen = { estimatedStartedAt, timezone: zone, name: text(name) || undefined };
		return { type: 'sessions', attributes: sessionAttributes(chosen, zone, read) };
	});
}
