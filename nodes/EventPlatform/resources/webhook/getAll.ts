import type { Operation } from '../operation';
import { listFields } from '../../parameters/recordFields';
import { kindField } from '../../parameters/webhookKinds';
import { withoutKey } from '../../core/deliveries/subscriptionKey';
import { manyRecords } from '../records';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	fields: listFields('webhooks', [kindField('event', 'Only webhooks for this kind of event')]),
	overlapping: true,
	async run(visit) {
		const webhooks = await manyRecords(visit, '/webhooks', visit.read.query());
		// The subscriptions of triggers carry a key. A record as sent has its URL in `attributes`.
		return webhooks.map((webhook) =>
			typeof webhook.url === 'string' ? { ...webhook, url: withoutKey(webhook.url) } : webhook,
		);
	},
};
