import { connect } from '../../host/connect';
import type { SavedCredential } from '../../host/editor';
import { executionEnd, executionsOf } from '../../host/execution';
import { ensureCredential, oAuthType } from '../../host/provision';
import { until } from '../../host/until';
import { picture, type TestedBrowser } from '../support/browser';
import type { Canvas } from '../support/canvas';
import { openEditor } from '../support/editor';
import type { TestedN8n } from '../support/n8n';
import { bulkOf, upcomingSession, type TestSandbox } from '../support/sandbox';
import { eventPlatformTrigger, workflowOf } from '../support/workflows';

jest.setTimeout(120_000);

let tested: TestedN8n;
let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;
let workflowId: string;

beforeAll(async () => {
	({ tested, sandbox, browser, canvas } = await openEditor());
	const { baseUrl, authServerUrl, clientId, clientSecret } = sandbox;
	const credential: SavedCredential = await ensureCredential(tested.editor, {
		name: 'Event Platform',
		type: oAuthType,
		data: { baseUrl, authServerUrl, clientId, clientSecret },
	});
	await connect(tested.editor, credential.id);
	const trigger = { ...eventPlatformTrigger(credential, {}), name: 'When a job has ended' };
	const workflow = workflowOf('Hear of jobs', trigger);
	workflowId = (await tested.editor.post<{ id: string }>('/rest/workflows', workflow)).id;
});

test('a trigger that is dropped in listens for ended jobs', async () => {
	await canvas.open(workflowId);
	await canvas.openNode('When a job has ended');
	const chosen = (name: string) => canvas.parameter(name).locator('input').inputValue();
	await canvas.parameter('events').getByText('Job Ended', { exact: true }).first().waitFor();
	expect(await chosen('subscription')).toBe('Automatic');
	expect(await chosen('verify')).toBe('Automatic');
	expect(await chosen('output')).toBe('Job');
	// The filters and limits lie in the options, so that nothing more is asked for.
	expect(await canvas.details.getByText('Session ID').count()).toBe(0);
	// Beside the button that listens for a test event stands what to do then.
	await canvas.details.getByText('Wait for an event of the platform').waitFor();
	const panel = [canvas.part('tab-params'), canvas.part('node-execute-button')];
	await picture(browser.page, 'trigger', undefined, ...panel, canvas.part('node-parameters'));
	await canvas.closeNode();
});

test('while it listens for a test event it says what to do', async () => {
	await canvas.execute();
	await browser.page.getByText('Now make a chosen event happen').first().waitFor();
	await canvas.part('stop-execution-waiting-for-webhook-button').first().click();
	await until('the test subscription to go', async () =>
		(await subscriptions()).length === 0 ? true : undefined,
	);
});

test('publishing the workflow subscribes, and an ended job starts it', async () => {
	await canvas.publish();
	const [subscription] = await until('a subscription', async () => {
		const found = await subscriptions();
		return found.length > 0 ? found : undefined;
	});
	expect(subscription?.attributes.event).toBe('job.ended');
	// The key by which its deliveries are believed
	expect(subscription?.attributes.url).toMatch(/\/webhook\?key=[\w-]{43}$/);

	const { data: job } = await sandbox.api.post<{ id: string }>(
		`/sessions/${upcomingSession}/people/bulk`,
		bulkOf(['ada@example.com', 'ada@example.com']),
	);
	const [execution] = await until('an execution', async () => {
		const ids = await executionsOf(tested.editor, workflowId);
		return ids.length > 0 ? ids : undefined;
	});
	const { status, output } = await executionEnd(tested.editor, execution ?? '');
	expect(status).toBe('success');
	expect(output('When a job has ended')).toMatchObject([
		{
			event: 'job.ended',
			event_key: expect.any(String) as string,
			id: job.id,
			status: 'failed',
			total_success: 1,
			total_fail: 1,
		},
	]);

	await canvas.part('radio-button-executions').click();
	await browser.page.getByText('Succeeded in').first().waitFor();
	await canvas.part('radio-button-workflow').click();
});

test('unpublishing leaves no subscription behind', async () => {
	await canvas.unpublish();
	await until('the subscription to go', async () =>
		(await subscriptions()).length === 0 ? true : undefined,
	);
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function subscriptions() {
	const { data } = await sandbox.api.get<{
		data: Array<{ attributes: { event: string; url: string } }>;
	}>('/webhooks');
	return data.data;
}
