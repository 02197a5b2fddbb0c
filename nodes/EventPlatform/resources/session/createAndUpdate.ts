import type { Operation, Visit } from '../operation';
import { writingOf } from '../records';
import { namesItsZone } from '../../parameters/dates';
import { additionalFields, choiceField, textField, updateFields } from '../../parameters/field';
import { timezoneLocator } from '../../parameters/locators';
import { textsIn } from '../../parameters/given';
import { plannedStart, sessionAttributes, sessionNameField } from '../../parameters/sharedFields';
import { attributesOf, getRecord } from '../../core/http/jsonApi';
import { text, type JsonObject } from '../../core/http/json';

const embedUrl = textField(
	'embedUrl',
	'URL of the page that embeds the room',
	'https://www.example.com/live',
);

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
	action: 'Create session',
	description: 'Add a session to an event',
	...writingOf(
		'POST',
		'sessions',
		'/events/{eventId}/sessions',
		[
			{ ...plannedStart, required: true },
			timezoneLocator,
			additionalFields([embedUrl, sessionNameField, teamMembers]),
		],
		({ read }) => {
			const zone = read.text('timezone') || read.zone;
			const { team_members: team, ...others } = read.toSend('additionalFields');
			const start = read.date('estimatedStartedAt');
			const people = textsIn(team).map((id) => ({
				data: { type: 'people', id, role: 'team_member' },
			}));
			return {
				attributes: sessionAttributes(start, { ...others, timezone: zone }, zone, read),
				...(people.length > 0 && { relationships: { people } }),
			};
		},
	),
};

export const update: Operation = {
	action: 'Update session',
	description: 'Change the name, date or embed URL of a session. Other fields stay the same.',
	...writingOf(
		'PATCH',
		'sessions',
		'/sessions/{sessionId}',
		[
			updateFields([
				embedUrl,
				sessionNameField,
				plannedStart,
				{ ...timezoneLocator, description: 'Time zone of the session' },
			]),
		],
		async (visit) => {
			const { read } = visit;
			const changes = read.changes();
			const zone = await zoneOf(changes, visit);
			const { estimated_started_at: start, ...others } = changes;
			const attributes = sessionAttributes(start, others, zone, read);
			return { id: read.id('sessionId'), attributes };
		},
	),
};

/** A start is written in the zone of the session, which has to be asked for when it is not given. */
async function zoneOf(changes: JsonObject, { api, read }: Visit): Promise<string> {
	if (changes.timezone) return text(changes.timezone);
	const { estimated_started_at: start } = changes;
	if (!start || !namesItsZone(start)) return read.zone;
	const { timezone: own } = attributesOf(await getRecord(api, read.path('/sessions/{sessionId}')));
	return typeof own === 'string' ? own : read.zone;
}
