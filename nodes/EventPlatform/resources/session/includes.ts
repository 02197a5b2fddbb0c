import type { INodeProperties } from 'n8n-workflow';

/** Related records that come along in the same request. */
export const includes: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{ name: 'Event', value: 'event' },
		{ name: 'People', value: 'people' },
	],
	default: [],
	description: 'Related records to return with each session',
};
