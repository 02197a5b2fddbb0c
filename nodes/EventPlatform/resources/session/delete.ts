import type { Operation } from '../../operation';
import { sessionLocator } from '../../parameters/locators';
import { deletion } from '../../records';
import { resource } from '../../transport/resource';

/** Deletes one date of an event; the event stays. */
export const deleteSession: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a session',
	description: 'Delete a session permanently; its event stays',
	fields: [sessionLocator],
	run({ api, read }) {
		return deletion(api, { path: resource`/sessions/${read.id('sessionId')}` });
	},
};
