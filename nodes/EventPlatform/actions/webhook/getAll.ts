import { eventTypeField } from '../../fields/eventTypeFields';
import { withoutKey } from '../../core/webhooks/proof';
import { listOf, type ListOperation } from '../list';

const list = listOf('webhooks', '/webhooks', {
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	filters: [eventTypeField('event', 'Only webhooks for this event type')],
});

export const getAll: ListOperation = {
	...list,
	// The URLs of the triggers' subscriptions carry a key, which is taken out here. A record as sent has its URL in `attributes`.
	async run(item) {
		return (await list.run(item)).map((record) =>
			typeof record.url === 'string' ? { ...record, url: withoutKey(record.url) } : record,
		);
	},
};
