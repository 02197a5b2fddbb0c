import type { Operation } from '../operation';
import { tagTitle } from '../../parameters/eventFields';
import { recordFields } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

export const addTag: Operation = {
	value: 'addTag',
	action: 'Add tag to event',
	description: 'Add a tag to an event. If the tag does not exist, it is created.',
	fields: [eventLocator, tagTitle, ...recordFields('tags')],
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'POST',
			path: pathTo`/events/${read.id('eventId')}/tags`,
			body: document('tags', { title: read.needed('tag') }),
		});
	},
};
