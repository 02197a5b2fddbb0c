import type { Operation } from '../operation';
import { eventLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Deletes an event and its sessions. */
export const deleteEvent: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete event',
	description: 'Delete an event and its sessions permanently',
	fields: [eventLocator],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/events/${read.id('eventId')}` });
	},
};
