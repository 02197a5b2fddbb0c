import type { IDataObject } from 'n8n-workflow';
import type { Operation, Visit } from '../operation';
import { namesItsZone } from '../../parameters/dates';
import { updateFields } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { sessionLocator, timezoneLocator } from '../../parameters/locators';
import {
	embedUrl,
	plannedStart,
	sessionAttributes,
	sessionName,
} from '../../parameters/sessionFields';
import { attributesOf, getRecord } from '../../core/http/jsonApi';
import { document, oneRecord } from '../records';
import { text } from '../../core/http/text';
import { pathTo } from '../../core/http/path';

export const update: Operation = {
	value: 'update',
	action: 'Update session',
	description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
	fields: [
		sessionLocator,
		updateFields([
			embedUrl,
			sessionName,
			plannedStart,
			{ ...timezoneLocator, description: 'Time zone of the session' },
		]),
		...recordFields('sessions'),
	],
	async run(visit) {
		const { read } = visit;
		const id = read.id('sessionId');
		const changes = read.changes();
		const zone = await zoneOf(id, changes, visit);
		return oneRecord(visit, {
			method: 'PATCH',
			path: pathTo`/sessions/${id}`,
			body: document('sessions', sessionAttributes(changes, zone, read), { id }),
			repeatable: true,
		});
	},
};

/** A start is written in the session's own zone, which has to be asked for when it is not given. */
async function zoneOf(id: string, changes: IDataObject, { api, read }: Visit): Promise<string> {
	if (changes.timezone) return text(changes.timezone);
	if (!changes.estimatedStartedAt || !namesItsZone(changes.estimatedStartedAt)) return read.zone;
	const { timezone: own } = attributesOf(await getRecord(api, pathTo`/sessions/${id}`));
	return typeof own === 'string' ? own : read.zone;
}
