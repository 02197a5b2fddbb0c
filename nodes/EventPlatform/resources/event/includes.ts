import type { INodeProperties } from 'n8n-workflow';

/** Related records that come along in the same request. */
export const includes: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{ name: 'Sessions', value: 'sessions' },
		{ name: 'Tags', value: 'tags' },
	],
	default: [],
	description: 'Related records to return with each event',
};
