import type { Operation } from '../operation';
import { eventLocator } from '../../parameters/locators';
import { attributesOf, getRecord } from '../../core/http/jsonApi';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

export const deleteEvent: Operation = {
	value: 'delete',
	action: 'Delete event',
	description: 'Delete an event and its sessions permanently',
	fields: [eventLocator],
	async run({ api, read }) {
		const id = read.id('eventId');
		const path = pathTo`/events/${id}`;
		const { title = null } = attributesOf(await getRecord(api, path));
		return await deletion(api, { path }, { id, title });
	},
};
