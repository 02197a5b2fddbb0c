import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { oneKind } from '../../parameters/webhookKinds';
import { document, oneRecord } from '../records';

const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://hooks.example.com/events',
	description: 'URL that receives the deliveries. It must use HTTPS.',
};

const kind: INodeProperties = {
	displayName: 'Event',
	name: 'webhookEvent',
	...oneKind,
	description: 'The kind of event to send. It covers the whole workspace.',
};

/** Subscribes an address to one kind of event. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description: 'Create a webhook for one kind of event',
	fields: [url, kind, simplifyField, recordOptions('webhooks')],
	run(visit) {
		const { read } = visit;
		return oneRecord(visit, {
			method: 'POST',
			path: '/webhooks',
			body: document('webhooks', {
				url: read.needed('url'),
				event: read.needed('webhookEvent'),
			}),
		});
	},
};
