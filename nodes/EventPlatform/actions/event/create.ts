import { addedAttributes } from '../../fields/requestParts';
import type { ItemContext } from '../runContext';
import { recordOf, type RecordOperation } from '../recordOperation';
import { additionalFields } from '../../fields/fieldBuilders';
import { eventLocator, optionalLocator } from '../../fields/locators';
import { plannedSessions } from '../../fields/sessionStart';
import { plannedSessionsField } from '../../fields/sessionFields';
import { Failure } from '../../core/client/failure';
import type { JsonObject } from '../../core/values/json';
import { text } from '../../core/values/text';
import { listRecords } from '../../core/client/pages';
import { InvalidSegment, pathTo } from '../../core/client/path';
import { viewRecord } from '../../core/records/recordView';
import { fieldsOf } from '../../core/records/simplify';
import { eventFields, eventTitle } from './eventFields';
import { formQuestions, readFormQuestions } from './formQuestions';

const copyFrom = optionalLocator(eventLocator, 'Event to copy the settings from', {
	displayName: 'Copy From Event',
	name: 'copyFromEventId',
});

const creation = recordOf('POST', 'events', '/events', {
	action: 'Create event',
	description: 'Create an event, optionally with its sessions',
	fields: [
		{ ...eventTitle, required: true },
		plannedSessionsField,
		additionalFields([...eventFields, copyFrom, formQuestions]),
	],
	async content({ parameters, notes, forms }) {
		const sessions = plannedSessions({ parameters, notes });
		const { registration_form, ...attributes } = addedAttributes(parameters);
		const fields = await readFormQuestions(registration_form, { parameters, forms });
		return {
			attributes: { title: parameters.needed('title'), ...attributes, ...(fields && { fields }) },
			...(sessions.length > 0 && { relationships: { sessions } }),
		};
	},
});

export const create: RecordOperation = {
	...creation,
	async run(item) {
		const created = await creation.run(item);
		const { parameters } = item;
		if (plannedSessions(item).length === 0 || !parameters.simplify()) return created;
		return { ...created, sessions: await createdSessions(text(created.id), item) };
	},
};

/** Reads the new sessions, because people are registered next with their IDs. The event exists by then, so no failure here fails the item. */
async function createdSessions(
	eventId: string,
	{ client, parameters, signal, notes }: ItemContext,
): Promise<JsonObject[]> {
	const readSessions = async () =>
		await listRecords(client.send, pathTo`/events/${eventId}/sessions`, { signal });
	const records = await readSessions().catch((error: unknown) => {
		if (!(error instanceof Failure || error instanceof InvalidSegment)) throw error;
		notes.hint("The event was created, but its sessions could not be read. Use 'Get Sessions'.");
		return [];
	});
	const view = { columns: ['estimated_started_at', 'timezone'], zone: parameters.zone };
	return records.map((session) => viewRecord(fieldsOf(session), view));
}
