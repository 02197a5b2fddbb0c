import type { Operation } from '../operation';
import { sessionLocator } from '../../parameters/locators';
import { isObject } from '../../core/http/json';
import { attributesOf, readRecord } from '../../core/http/jsonApi';
import { withDates } from '../../parameters/dates';
import { deletion, Related } from '../records';
import { pathTo } from '../../core/http/path';

export const deleteSession: Operation = {
	value: 'delete',
	action: 'Delete session',
	description:
		'Delete a session permanently. The API cannot cancel sessions. To cancel one, use the platform.',
	fields: [sessionLocator],
	async run({ api, read }) {
		const id = read.id('sessionId');
		const path = pathTo`/sessions/${id}`;
		const query = { include: 'event' };
		const request = { method: 'GET', path, query } as const;
		const answer = await api(request);
		const session = readRecord(request, answer);
		const { included } = isObject(answer.body) ? answer.body : {};
		const { event_title = null } = new Related(included).columnsOf(session);
		const { name = null, estimated_started_at = null } = attributesOf(session);
		const what = withDates({ id, event_title, name, estimated_started_at }, read.zone);
		return await deletion(api, { path }, what);
	},
};
