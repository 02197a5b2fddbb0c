import type { INodeProperties } from 'n8n-workflow';
import type { JsonObject } from '../core/http/ports';
import { text } from '../core/http/text';
import { attributes } from './names';
import { wallTime } from './dates';
import type { Read } from './read';

export const sessionName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Morning session',
	description: 'Tells the sessions of one event apart',
};

export const embedUrl: INodeProperties = {
	displayName: 'Embed URL',
	name: 'embedUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://www.example.com/live',
	description: 'Address of the page that may show the room inside it',
};

export const plannedStart: INodeProperties = {
	displayName: 'Start',
	name: 'estimatedStartedAt',
	type: 'dateTime',
	default: '',
	description: 'Date and time at which the session is planned to start',
};

export const timezone: INodeProperties = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Paris',
	description: 'Time zone of the session. When empty, that of the workflow.',
};

type PlannedSession = { estimatedStartedAt?: unknown; name?: string; timezone?: string };

/** The attributes of a session, its start as the clock shows it in the session's time zone. */
export function sessionAttributes(
	{ estimatedStartedAt: given, ...others }: PlannedSession,
	zone: string,
	read: Read,
): JsonObject {
	if (given === undefined || given === '') return attributes(others);
	const start = wallTime(given, zone);
	if (start === undefined) {
		throw read.refusal(
			`There is no such time: "${text(given)}" in the time zone "${zone}"`,
			'Give an ISO 8601 date such as 2026-11-28T10:30:00, and a time zone such as Europe/Paris.',
		);
	}
	return { ...attributes(others), estimated_started_at: start };
}
