import type { Operation } from '../operation';
import { tagTitle } from '../../parameters/eventFields';
import { eventLocator } from '../../parameters/locators';
import { deletion, document } from '../records';
import { pathTo } from '../../core/http/path';

export const removeTag: Operation = {
	value: 'removeTag',
	action: 'Remove tag from event',
	description: 'Remove a tag from an event. Other events keep it.',
	fields: [eventLocator, tagTitle],
	run({ api, read }) {
		return deletion(api, {
			path: pathTo`/events/${read.id('eventId')}/tags`,
			body: document('tags', { title: read.needed('tag') }),
		});
	},
};
