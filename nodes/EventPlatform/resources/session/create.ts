import type { Operation } from '../operation';
import { text } from '../../core/http/text';
import type { JsonObject } from '../../core/http/ports';
import { additionalFields, choiceField } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { eventLocator, timezoneLocator } from '../../parameters/locators';
import {
	embedUrl,
	plannedStart,
	sessionAttributes,
	sessionName,
} from '../../parameters/sessionFields';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

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
		const chosen = {
			...others,
			estimatedStartedAt: read.date('estimatedStartedAt'),
			timezone: zone,
		};
		return oneRecord(visit, {
			method: 'POST',
			path: pathTo`/events/${read.id('eventId')}/sessions`,
			body: document('sessions', sessionAttributes(chosen, zone, read), teamOf(team)),
		});
	},
};

/** Users who take part as the team. An expression may also give their IDs with commas between. */
function teamOf(given: unknown): JsonObject {
	const ids = (Array.isArray(given) ? given.map(text) : text(given).split(','))
		.map((id) => id.trim())
		.filter((id) => id !== '');
	if (ids.length === 0) return {};
	const people = ids.map((id) => ({ data: { type: 'people', id, role: 'team_member' } }));
	return { relationships: { people } };
}
