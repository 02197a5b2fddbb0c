import type { IDataObject } from 'n8n-workflow';
import type { Operation, Visit } from '../operation';
import { document, oneRecord } from '../records';
import { namesItsZone } from '../../parameters/dates';
import { additionalFields, choiceField, textField, updateFields } from '../../parameters/field';
import { eventLocator, sessionLocator, timezoneLocator } from '../../parameters/locators';
import { listed } from '../../parameters/names';
import { recordFields } from '../../parameters/recordFields';
import { plannedStart, sessionAttributes, sessionName } from '../../parameters/sessionFields';
import { attributesOf, getRecord } from '../../core/http/jsonApi';
import type { JsonObject } from '../../core/http/ports';
import { text } from '../../core/http/text';

const embedUrl = textField('embedUrl', 'URL of the page that embeds the room', {
	placeholder: 'e.g. https://www.example.com/live',
});

const teamMembers = choiceField(
	'teamMembers',
	{},
	[],
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	{
		displayName: 'Team Member Names or IDs',
		typeOptions: { loadOptionsMethod: 'users' },
		options: undefined,
	},
);

export const create: Operation = {
	value: 'create',
	action: 'Create session',
	description: 'Add a session to an event',
	fields: [
		eventLocator,
		{ ...plannedStart, required: true },
		timezoneLocator,
		additionalFields([embedUrl, sessionName, teamMembers]),
		...recordFields('sessions'),
	],
	run(visit) {
		const { read } = visit;
		const zone = read.text('timezone') || read.zone;
		const { teamMembers: team, ...others } = read.filled('additionalFields');
		const start = read.date('estimatedStartedAt');
		const chosen = { ...others, estimatedStartedAt: start, timezone: zone };
		return oneRecord(visit, {
			method: 'POST',
			path: read.path('/events/{eventId}/sessions'),
			body: document('sessions', sessionAttributes(chosen, zone, read), teamOf(team)),
		});
	},
};

/** Users who take part as the team. An expression may also give their IDs with commas between. */
function teamOf(given: unknown): JsonObject {
	const ids = listed(given);
	if (ids.length === 0) return {};
	const people = ids.map((id) => ({ data: { type: 'people', id, role: 'team_member' } }));
	return { relationships: { people } };
}

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
		const path = read.path('/sessions/{sessionId}');
		const changes = read.changes();
		const zone = await zoneOf(path, changes, visit);
		return oneRecord(visit, {
			method: 'PATCH',
			path,
			body: document('sessions', sessionAttributes(changes, zone, read), { id }),
			repeatable: true,
		});
	},
};

/** A start is written in the session's own zone, which has to be asked for when it is not given. */
async function zoneOf(path: string, changes: IDataObject, { api, read }: Visit): Promise<string> {
	if (changes.timezone) return text(changes.timezone);
	if (!changes.estimatedStartedAt || !namesItsZone(changes.estimatedStartedAt)) return read.zone;
	const { timezone: own } = attributesOf(await getRecord(api, path));
	return typeof own === 'string' ? own : read.zone;
}
