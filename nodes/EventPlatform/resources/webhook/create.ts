import type { Operation } from '../operation';
import { textField } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { kindField } from '../../parameters/webhookKinds';
import { document, oneRecord } from '../records';

const url = textField('url', 'URL that receives the deliveries. It must use HTTPS.', {
	displayName: 'URL',
	required: true,
	placeholder: 'e.g. https://hooks.example.com/events',
});

const kind = kindField('webhookEvent', 'Kind of event to deliver, for the whole workspace');

export const create: Operation = {
	value: 'create',
	action: 'Create webhook',
	description: 'Create a webhook for one kind of event',
	fields: [url, kind, ...recordFields('webhooks')],
	run(visit) {
		const { read } = visit;
		const webhook = { url: read.needed('url'), event: read.needed('webhookEvent') };
		const body = document('webhooks', webhook);
		return oneRecord(visit, { method: 'POST', path: '/webhooks', body });
	},
};
