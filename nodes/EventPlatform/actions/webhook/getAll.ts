import { eventTypeField } from '../../fields/eventTypeFields';
import { isObject, type JsonObject } from '../../core/values/json';
import { withoutKey } from '../../core/webhooks/proof';
import { listOf, type ListOperation } from '../listOperation';

const list = listOf('webhooks', '/webhooks', {
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	filters: [eventTypeField('event', 'Only webhooks for this event type')],
});

export const getAll: ListOperation = {
	...list,
	async run(item) {
		return (await list.run(item)).map(withoutKeys);
	},
};

/** The URLs of the triggers' subscriptions carry a key, with which anybody starts their workflows. A record as sent has its URL in `attributes`. */
function withoutKeys(record: JsonObject): JsonObject {
	const { url, attributes } = record;
	return {
		...record,
		...(typeof url === 'string' && { url: withoutKey(url) }),
		...(isObject(attributes) && { attributes: withoutKeys(attributes) }),
	};
}
