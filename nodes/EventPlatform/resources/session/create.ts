import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { text } from '../../core/http/text';
import type { JsonObject } from '../../core/http/ports';
import { additionalFields } from '../../parameters/collections';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator, timezoneLocator } from '../../parameters/locators';
import {
	embedUrl,
	plannedStart,
	sessionAttributes,
	sessionName,
} from '../../parameters/sessionFields';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

const teamMembers: INodeProperties = {
	displayName: 'Team Member Names or IDs',
	name: 'teamMembers',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'users' },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

/** Adds a date to an event. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create session',
	description: 'Add a session to an event',
	fields: [
		eventLocator,
		{ ...plannedStart, required: true },
		timezoneLocator,
		additionalFields([embedUrl, sessionName, teamMembers]),
		simplifyField,
		recordOptions('sessions'),
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
