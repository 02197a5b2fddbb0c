import type { Resource } from '../operation';
import { create } from './create';
import { deleteWebhook } from './delete';
import { getAll } from './getAll';

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	description: 'A URL that receives events of the workspace',
	scope: 'webhooks',
	operations: [create, deleteWebhook, getAll],
	initial: getAll,
};
