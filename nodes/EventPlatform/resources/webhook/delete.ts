import type { Operation } from '../operation';
import { webhookLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Ends a subscription. */
export const deleteWebhook: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description:
		'Delete a webhook permanently, so that the platform sends nothing to its address any more',
	fields: [webhookLocator],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/webhooks/${read.id('webhookId')}` });
	},
};
