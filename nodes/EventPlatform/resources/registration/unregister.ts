import type { Operation } from '../operation';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';
import { readWho, whoFields } from './who';

export const unregister: Operation = {
	value: 'unregister',
	action: 'Unregister person from session',
	description: 'Remove the registration of a person for a session',
	usesReserve: true,
	fields: whoFields,
	run({ api, read }) {
		const who = readWho(read);
		return 'personId' in who
			? deletion(api, { path: pathTo`/sessions/${who.sessionId}/people/${who.personId}` })
			: deletion(api, {
					path: pathTo`/sessions/${who.sessionId}/people`,
					query: { 'filter[email]': who.email },
				});
	},
};
