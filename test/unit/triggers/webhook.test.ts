import type { IWebhookFunctions } from 'n8n-workflow';
import { takeDelivery } from '../../../nodes/EventPlatform/triggers/webhook';

test('a delivery whose stored data cannot be read is to come again, and makes no failed run', async () => {
	const answered: unknown[] = [];
	const warnings: string[] = [];
	const response = {
		status(code: number) {
			answered.push(code);
			return response;
		},
		end: (...body: unknown[]) => answered.push(...body),
	};
	const context = {
		getMode: () => 'webhook',
		getNode: () => ({ id: 'n', name: 'Trigger' }),
		getWorkflow: () => ({ id: 'unreadable' }),
		getWorkflowStaticData() {
			throw new Error('The database is gone');
		},
		getResponseObject: () => response,
		logger: { warn: (line: string) => warnings.push(line) },
	} as unknown as IWebhookFunctions;
	expect(await takeDelivery.call(context)).toEqual({ noWebhookResponse: true });
	expect(answered).toEqual([503]);
	expect(warnings).toEqual([
		'Event Platform Trigger answered a delivery with 503: The database is gone',
	]);
});
