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
	description: 'Name that tells the sessions of an event apart',
};

export const embedUrl: INodeProperties = {
	displayName: 'Embed URL',
	name: 'embedUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://www.example.com/live',
	description: 'URL of the page that embeds the room',
};

export const plannedStart: INodeProperties = {
	displayName: 'Start',
	name: 'estimatedStartedAt',
	type: 'dateTime',
	default: '',
	description: 'Date and time at which the session is planned to start',
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
