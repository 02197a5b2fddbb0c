import type { Operation } from '../operation';
import { sessionLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Deletes one date of an event; the event stays. */
export const deleteSession: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete session',
	description: 'Delete a session permanently; its event stays',
	fields: [sessionLocator],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/sessions/${read.id('sessionId')}` });
	},
};
