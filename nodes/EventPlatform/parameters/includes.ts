import type { INodeProperties } from 'n8n-workflow';

/** Records related to a session that come along in the same request. */
export const includesOfSessions: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{ name: 'Event', value: 'event' },
		{ name: 'People', value: 'people' },
		{ name: 'Recordings', value: 'recordings' },
	],
	default: [],
	description: 'Related records to return with each session',
};
