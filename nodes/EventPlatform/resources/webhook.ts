import { textField } from '../parameters/field';
import { kindField } from '../parameters/webhookKinds';
import { withoutKey } from '../core/deliveries/subscriptionKey';
import type { Operation, Resource } from './operation';
import { creationOf, deletionOf, listOf } from './records';

const url = textField('url', 'URL that receives the deliveries. It must use HTTPS.', {
	displayName: 'URL',
	required: true,
	placeholder: 'e.g. https://hooks.example.com/events',
});

const event = kindField('webhookEvent', 'Kind of event to deliver, for the whole workspace');

const create: Operation = {
	value: 'create',
	action: 'Create webhook',
	description: 'Create a webhook for one kind of event',
	...creationOf('webhooks', '/webhooks', { url, event }),
};

const deleteWebhook: Operation = {
	value: 'delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently. The platform then stops sending to its URL.',
	...deletionOf('/webhooks/{webhookId}'),
};

const all = listOf('webhooks', '/webhooks', {
	filters: [kindField('event', 'Only webhooks for this kind of event')],
});

const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	...all,
	async run(visit) {
		const webhooks = await all.run(visit);
		// The subscriptions of triggers carry a key. A record as sent has its URL in `attributes`.
		return webhooks.map((webhook) =>
			typeof webhook.url === 'string' ? { ...webhook, url: withoutKey(webhook.url) } : webhook,
		);
	},
};

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	description: 'A URL that receives events of the workspace',
	scope: 'webhooks',
	operations: [create, deleteWebhook, getAll],
	initial: getAll,
};
