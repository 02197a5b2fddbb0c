import type { Operation } from '../operation';
import { eventLocator } from '../../parameters/locators';
import { tagTitle } from '../../parameters/tagTitle';
import { deletion, document } from '../records';
import { pathTo } from '../../core/http/path';

/** Takes a tag off one event; other events keep it. */
export const removeTag: Operation = {
	value: 'removeTag',
	name: 'Remove Tag',
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
