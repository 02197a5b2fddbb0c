import type { Operation } from '../operation';
import { webhookLocator } from '../../parameters/locators';
import { deletion } from '../records';
import { pathTo } from '../../core/http/path';

/** Ends a subscription. */
export const deleteWebhook: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'End a subscription, so that the platform sends nothing there any more',
	fields: [webhookLocator],
	run({ api, read }) {
		return deletion(api, { path: pathTo`/webhooks/${read.id('webhookId')}` });
	},
};
