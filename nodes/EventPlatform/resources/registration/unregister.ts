import type { Operation } from '../operation';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';
import { readWho, whoFields } from './who';

/** Takes a person off a session. */
export const unregister: Operation = {
	value: 'unregister',
	name: 'Unregister',
	action: 'Unregister person from session',
	description: 'Remove the registration of a person for a session',
	usesReserve: true,
	fields: whoFields,
	run({ api, read }) {
		const who = readWho(read);
		if ('personId' in who) {
			return deletion(api, { path: pathTo`/sessions/${who.sessionId}/people/${who.personId}` });
		}
		return deletion(api, {
			path: pathTo`/sessions/${who.sessionId}/people`,
			query: { 'filter[email]': who.email },
		});
	},
};
