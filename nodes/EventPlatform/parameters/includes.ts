import type { INodeProperties } from 'n8n-workflow';
import type { Query } from './names';
import type { Read } from './read';

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

/** What was chosen; simplified sessions also bring their events, whose titles people know them by. */
export function queryOfSessions(read: Read): Query {
	const query = read.query('include');
	const names = read.names('options.include');
	if (!read.simplify() || names.includes('event')) return query;
	return { ...query, include: [...names, 'event'].join(',') };
}
