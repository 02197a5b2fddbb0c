import type { Operation } from '../operation';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Ends a subscription. */
export const deleteWebhook: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a webhook',
	description: 'End a subscription, so that the platform sends nothing there any more',
	fields: [
		{
			displayName: 'Webhook ID',
			name: 'webhookId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 4d1c8e0a-7b52-4a37-9f3e-6a1b2c3d4e5f',
			description: 'ID of the webhook, as "Get Many" returns it',
		},
	],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/webhooks/${read.id('webhookId')}` });
	},
};
