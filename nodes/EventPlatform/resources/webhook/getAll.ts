import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { oneKind } from '../../parameters/webhookKinds';
import { withoutKey } from '../../core/deliveries/subscriptionKey';
import { manyRecords } from '../records';

/** The subscriptions of the workspace. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	fields: [
		...listFields,
		filters([
			{
				displayName: 'Event',
				name: 'event',
				...oneKind,
				description: 'Only webhooks for this kind of event',
			},
		]),
		recordOptions('webhooks'),
	],
	overlapping: true,
	async run(visit) {
		const webhooks = await manyRecords(visit, '/webhooks', visit.read.query());
		// The subscriptions of triggers carry a key. A record as sent has its URL in `attributes`.
		return webhooks.map((webhook) =>
			typeof webhook.url === 'string' ? { ...webhook, url: withoutKey(webhook.url) } : webhook,
		);
	},
};
