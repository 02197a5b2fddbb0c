import axios from 'axios';
import { Editor } from '../../host/editor';
import { executionEnd, executionsOf } from '../../host/execution';
import { startN8n, type N8n } from '../../host/n8n';
import { until } from '../../host/until';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import { owner } from '../support/n8n/n8n';
import { eventPlatformTrigger, publish, saved, workflowOf } from '../support/n8n/workflows';

const trigger = 'When a job has ended';

let scene: ConnectedEditor;

beforeAll(async () => {
	scene = await openConnectedEditor();
});

describe('in the editor', () => {
	let workflowId: string;

	test('a trigger that is dropped in listens for ended jobs', async () => {
		const { canvas, show, credentials } = scene;
		const node = { ...eventPlatformTrigger(credentials.oAuth, {}), name: trigger };
		workflowId = await show(workflowOf('Hear of jobs', node));
		await canvas.openNode(trigger);
		const chosen = (name: string) => canvas.parameter(name).locator('input').inputValue();
		await canvas.parameter('events').getByText('Job Ended', { exact: true }).first().waitFor();
		expect(await chosen('subscription')).toBe('Automatic');
		expect(await chosen('verify')).toBe('Automatic');
		expect(await chosen('output')).toBe('Job');
		// The filters and limits lie in the options, so that nothing more is asked for.
		expect(await canvas.details.getByText('Session ID').count()).toBe(0);
		// A text beside the button that listens for a test event says what to do then.
		await canvas.details.getByText('Listen for Livestorm events').waitFor();
		await canvas.closeNode();
	});

	test('while it listens for a test event it says what to do', async () => {
		const { canvas, browser } = scene;
		await canvas.execute();
		await browser.page.getByText('Now cause a chosen event').first().waitFor();
		await canvas.part('stop-execution-waiting-for-webhook-button').first().click();
		await waitForSubscriptions();
	});

	test('publishing the workflow subscribes, and an ended job starts it', async () => {
		const { canvas, browser, tested, sandbox } = scene;
		await canvas.publish();
		const [subscription] = await until('a subscription', async () => {
			const subscriptions = await sandbox.subscriptions();
			return subscriptions.length > 0 && subscriptions;
		});
		expect(subscription?.event).toBe('job.ended');
		// The key by which its deliveries are believed
		expect(subscription?.url).toMatch(/\/webhook\?key=[\w-]{43}$/);

		const id = await scene.sandbox.startJob(['ada@example.com', 'ada@example.com']);
		const execution = await until(
			'an execution',
			async () => (await executionsOf(tested.editor, workflowId))[0],
		);
		const { status, output } = await executionEnd(tested.editor, execution);
		expect(status).toBe('success');
		expect(output(trigger)).toMatchObject([
			{
				event: 'job.ended',
				event_key: expect.any(String) as string,
				id,
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
		await scene.canvas.unpublish();
		await waitForSubscriptions();
	});

	test('the browser reports no error', () => {
		expect(scene.browser.errors).toEqual([]);
	});
});

describe('with the tasks of the job', () => {
	let workflowId: string;
	let url: string;
	let editor: Editor;
	let restarted: N8n;

	beforeAll(async () => {
		({ editor } = scene.tested);
		const node = eventPlatformTrigger(scene.credentials.token, { output: 'tasks' });
		workflowId = await saved(editor, workflowOf('Job ended', { ...node, name: trigger }));
		url = `${scene.tested.n8n.url}/webhook/${String(node.webhookId)}/webhook`;
		await scene.sandbox.reset();
		await publish(editor, workflowId);
		await waitForSubscriptions(url);
	});

	afterAll(() => restarted?.stop());

	/** How many deliveries and executions there are before a test does something. */
	async function countSoFar() {
		const [deliveries, executions] = await Promise.all([
			scene.sandbox.deliveries(),
			executionsOf(editor, workflowId),
		]);
		return { deliveries: deliveries.length, executions: executions.length };
	}

	const waitForExecutions = (count: number) =>
		until(`${count} executions`, async () => {
			const ids = await executionsOf(editor, workflowId);
			return ids.length === count && ids;
		});

	/** Waits for deliveries that were not only made, but taken. */
	const waitForDeliveries = (count: number) =>
		until('the deliveries to arrive', async () => {
			const made = await scene.sandbox.deliveries();
			return made.length === count && made.every(({ status }) => status === 'delivered') && made;
		});

	test('a job that ends starts one execution with its tasks', async () => {
		const before = await countSoFar();
		const job_id = await scene.sandbox.startJob(['one@example.org', 'no address']);
		await waitForDeliveries(before.deliveries + 1);
		const executions = await waitForExecutions(before.executions + 1);
		const run = await executionEnd(editor, executions.at(-1) ?? '');
		expect(run.status).toBe('success');
		expect(run.output(trigger)).toMatchObject([
			{ event: 'job.ended', job_id, status: 'succeeded', person: { email: 'one@example.org' } },
			{ event: 'job.ended', job_id, status: 'failed', person: null },
		]);
	});

	test('a forged delivery gets a bare 401 and starts nothing', async () => {
		const before = await countSoFar();
		const body = { type: 'jobs', id: 'forged', attributes: { status: 'ended' } };
		const response = await axios.post<string>(url, body, { validateStatus: () => true });
		expect([response.status, response.data]).toEqual([401, '']);
		expect(await executionsOf(editor, workflowId)).toHaveLength(before.executions);
	});

	test('after n8n was killed there is no second subscription, and nothing runs twice', async () => {
		const before = await countSoFar();
		await scene.sandbox.startJob(['two@example.org']);
		const [delivery] = await waitForDeliveries(before.deliveries + 1);
		await waitForExecutions(before.executions + 1);
		const { installation, userFolder, n8n } = scene.tested;
		n8n.kill();
		await n8n.ended;
		const port = Number(new URL(n8n.url).port);
		restarted = await startN8n(installation, { userFolder, port });
		editor = new Editor(restarted.url);
		await editor.signIn(owner);
		await waitForSubscriptions(url);
		await scene.sandbox.redeliver(delivery?.id);
		await waitForDeliveries(before.deliveries + 2);
		await waitForExecutions(before.executions + 1);
		await scene.sandbox.startJob(['three@example.org']);
		await waitForDeliveries(before.deliveries + 3);
		await waitForExecutions(before.executions + 2);
	});

	test('listening in the editor uses the test URL and ends with the first event', async () => {
		const before = await countSoFar();
		const { waitingForWebhook } = await editor.post<{ waitingForWebhook: boolean }>(
			`/rest/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: trigger } },
		);
		expect(waitingForWebhook).toBe(true);
		await waitForSubscriptions(url, url.replace('/webhook/', '/webhook-test/'));
		await scene.sandbox.startJob(['four@example.org']);
		// The published workflow hears of the job as well.
		await waitForExecutions(before.executions + 2);
		await waitForSubscriptions(url);
	});

	test('deactivating the workflow leaves no subscription', async () => {
		await editor.post(`/rest/workflows/${workflowId}/deactivate`, {});
		await waitForSubscriptions();
	});
});

/** Waits for the background work in which n8n activates and deactivates. Each URL has a key, which is left out here. */
async function waitForSubscriptions(...urls: string[]) {
	await until(`subscriptions of ${urls.join(' and ') || 'nothing'}`, async () => {
		const addresses = (await scene.sandbox.subscriptions()).map(({ url }) =>
			url.replace(/\?key=[\w-]{43}$/, ''),
		);
		return addresses.sort().join() === urls.sort().join();
	});
}
