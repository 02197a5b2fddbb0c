import { neededText } from '../../fields/fieldBuilders';
import { eventTypeField } from '../../fields/eventTypeFields';
import type { Resource } from '../operation';
import { deletionOf } from '../deletion';
import { recordOf } from '../recordOperation';
import { getAll } from './getAll';

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
				eventTypeField('webhookEvent', 'Event to deliver, for the whole workspace'),
			],
			content: ({ parameters }) => ({
				attributes: { url: parameters.needed('url'), event: parameters.needed('webhookEvent') },
			}),
		}),
		delete: deletionOf('/webhooks/{webhookId}', {
			action: 'Delete webhook',
			description: 'Delete a webhook permanently. Livestorm then stops sending to its URL.',
		}),
		getAll,
	},
};
