import { neededText } from '../fields/field';
import { kindField } from '../fields/sharedFields';
import { withoutKey } from '../core/webhooks/subscriptionKey';
import type { Resource } from './operation';
import { deletionOf, listOf, recordOf } from './records';

const list = listOf('webhooks', '/webhooks', {
	action: 'Get many webhooks',
	description: 'Retrieve the webhooks of the workspace',
	filters: [kindField('event', 'Only webhooks for this event type')],
});

export const webhook: Resource = {
	description: 'A URL that receives events of the workspace',
	scope: 'webhooks',
	operations: {
		create: recordOf('POST', 'webhooks', '/webhooks', {
			action: 'Create webhook',
			description: 'Create a webhook for one event type',
			fields: [
				neededText(
					'url',
					'URL that receives the deliveries. It must use HTTPS.',
					'https://hooks.example.com/events',
				),
				kindField('webhookEvent', 'Event to deliver, for the whole workspace'),
			],
			content: ({ parameters }) => ({
				attributes: { url: parameters.needed('url'), event: parameters.needed('webhookEvent') },
			}),
		}),
		delete: deletionOf('/webhooks/{webhookId}', {
			action: 'Delete webhook',
			description: 'Delete a webhook permanently. The platform then stops sending to its URL.',
		}),
		getAll: {
			...list,
			// The subscriptions of triggers carry a key. A record as sent has its URL in `attributes`.
			async run(item) {
				return (await list.run(item)).map((record) =>
					typeof record.url === 'string' ? { ...record, url: withoutKey(record.url) } : record,
				);
			},
		},
	},
};
