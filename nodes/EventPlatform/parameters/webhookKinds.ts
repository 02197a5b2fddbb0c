import type { INodePropertyOptions } from 'n8n-workflow';

/** What the platform announces, in the order of the menu. */
export const webhookKinds: INodePropertyOptions[] = [
	{ name: 'Event Created', value: 'event.created' },
	{ name: 'Event Published', value: 'event.published' },
	{ name: 'Job Ended', value: 'job.ended', description: 'A bulk registration is done' },
	{ name: 'Person Attended', value: 'people.attended' },
	{ name: 'Person Did Not Attend', value: 'people.not_attended' },
	{ name: 'Person Registered', value: 'people.registered' },
	{ name: 'Person Watched Replay', value: 'people.watched_replay' },
	{ name: 'Session Created', value: 'session.created' },
	{ name: 'Session Ended', value: 'session.ended' },
	{ name: 'Session Started', value: 'session.started' },
];
