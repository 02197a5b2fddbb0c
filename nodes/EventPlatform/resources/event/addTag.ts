import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { eventLocator } from '../../parameters/locators';
import { tagTitle } from '../../parameters/tagTitle';
import { document, oneRecord } from '../records';
import { pathTo } from '../../core/http/path';

/** Tags an event; a tag that does not exist yet is created. */
export const addTag: Operation = {
	value: 'addTag',
	name: 'Add Tag',
	action: 'Add tag to event',
	description: 'Add a tag to an event. A new tag is created.',
	fields: [eventLocator, tagTitle, simplifyField, recordOptions('tags')],
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'POST',
			path: pathTo`/events/${read.id('eventId')}/tags`,
			body: document('tags', { title: read.needed('tag') }),
		});
	},
};
