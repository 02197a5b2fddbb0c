import { filledPath } from '../../fields/requestParts';
import type { ItemOperation } from '../operation';
import { eventLocator } from '../../fields/locators';
import { tagTitle } from './eventFields';

export const removeTag: ItemOperation = {
	action: 'Remove tag from event',
	description: 'Remove a tag from an event. Other events keep it.',
	fields: [eventLocator, tagTitle],
	about: () => ({ what: 'the event or the tag' }),
	async run({ client, parameters }) {
		const path = filledPath(parameters, '/events/{eventId}/tags');
		const body = { data: { type: 'tags', attributes: { title: parameters.needed('tag') } } };
		await client.send({ method: 'DELETE', path, body });
		return { deleted: true };
	},
};
