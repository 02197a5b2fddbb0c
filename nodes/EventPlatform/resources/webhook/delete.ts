import type { Operation } from '../operation';
import { webhookLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

export const deleteWebhook: Operation = {
	value: 'delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently. The platform then stops sending to its URL.',
	fields: [webhookLocator],
	run({ api, read }) {
		const id = read.id('webhookId');
		return deletion(api, { path: pathTo`/webhooks/${id}` }, { id });
	},
};
