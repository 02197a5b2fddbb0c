import type { IDataObject } from 'n8n-workflow';
import { eventFields, eventTitle } from './fields';
import { formQuestions, readFormQuestions } from './formQuestions';
import type { Operation, Visit } from '../operation';
import { writingOf } from '../records';
import { withDates } from '../../parameters/dates';
import { additionalFields, rowsField } from '../../parameters/field';
import { eventLocator, timezoneLocator } from '../../parameters/locators';
import { attributes } from '../../parameters/names';
import type { Read } from '../../parameters/read';
import { plannedStart, sessionAttributes, sessionNameField } from '../../parameters/sessionFields';
import { Failure } from '../../core/http/failure';
import { isObject } from '../../core/http/json';
import { attributesOf } from '../../core/http/jsonApi';
import { listRecords } from '../../core/http/paginate';
import { InvalidSegment, pathTo } from '../../core/http/path';
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
	[plannedStart, timezoneLocator, sessionNameField],
	'Dates of the event. You can add more later.',
);

const creation = writingOf(
	'POST',
	'events',
	'/events',
	[
		{ ...eventTitle, required: true },
		sessions,
		additionalFields([...eventFields, copyFrom, formQuestions]),
	],
	({ read }) => {
		const planned = plannedSessions(read);
		const { registrationForm, ...chosen } = read.filled('additionalFields');
		const fields = readFormQuestions(registrationForm, read);
		return {
			attributes: { title: read.needed('title'), ...attributes({ ...chosen, fields }) },
			...(planned.length > 0 && { relationships: { sessions: planned } }),
		};
	},
);

export const create: Operation = {
	action: 'Create event',
	description: 'Create an event, optionally with its sessions',
	...creation,
	async run(visit) {
		const event = await creation.run(visit);
		if (plannedSessions(visit.read).length === 0 || !visit.read.simplify()) return event;
		return { ...event, sessions: await createdSessions(text(event.id), visit) };
	},
};

/** With their IDs people can be registered next. The event stands, so no failure here is one of the item. */
async function createdSessions(eventId: string, { api, read, signal, hint }: Visit) {
	const sessionsOf = async () =>
		await listRecords(api, pathTo`/events/${eventId}/sessions`, {}, signal);
	const records = await sessionsOf().catch((error: unknown) => {
		if (!(error instanceof Failure || error instanceof InvalidSegment)) throw error;
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
	return rows.map(({ timezone: given, name, ...row }) => {
		// Of an expression that found nothing: without a start there would be a session without a date.
		const estimatedStartedAt = 'estimatedStartedAt' in row ? (row.estimatedStartedAt ?? null) : '';
		const zone = text(isObject(given) ? given.value : given).trim() || read.zone;
		const chosen = { estimatedStartedAt, timezone: zone, name: text(name) || undefined };
		return { type: 'sessions', attributes: sessionAttributes(chosen, zone, read) };
	});
}
