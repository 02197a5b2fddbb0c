import axios from 'axios';
import { Editor, type Workflow } from '../../host/editor';
import { executionEnd } from '../../host/execution';
import { startN8n } from '../../host/n8n';
import { freePort } from '../../host/ports';
import { ensureCredential, tokenType } from '../../host/provision';
import { until } from '../../host/until';
import { owner, startTestedN8n, type TestedN8n } from '../support/n8n';
import { bulkOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { eventPlatformTrigger, workflowOf } from '../support/workflows';

jest.setTimeout(180_000);

let sandbox: TestSandbox;
let tested: TestedN8n;
let workflow: Workflow & { id: string; versionId: string };
let url: string;
let port: number;

beforeAll(async () => {
	sandbox = await sandboxForTests();
	port = await freePort();
	tested = await startTestedN8n({ port });
	const credential = await ensureCredential(tested.editor, {
		name: 'Token',
		type: tokenType,
		data: { baseUrl: sandbox.baseUrl, apiToken: sandbox.apiToken },
	});
	const trigger = eventPlatformTrigger(credential, { output: 'tasks' });
	workflow = await tested.editor.post('/rest/workflows', workflowOf('Job ended', trigger));
	url = `${tested.n8n.url}/webhook/${String(trigger.webhookId)}/webhook`;
});

afterAll(() => tested?.close());

interface Subscription {
	attributes: { url: string; event: string };
}

/** n8n activates and deactivates in the background. */
async function subscribed(...wanted: string[]): Promise<void> {
	await until(`subscriptions of ${wanted.join(' and ') || 'nothing'}`, async () => {
		const found = (await subscriptions()).map(({ to }) => to);
		return found.sort().join() === wanted.sort().join() ? true : undefined;
	});
}

/** Each has a key in its URL, which is left out here. */
async function subscriptions() {
	const { data } = await sandbox.api.get<{ data: Subscription[] }>('/webhooks');
	return data.data.map(({ attributes: { url: to, event } }) => {
		expect(to).toMatch(/\?key=[\w-]{43}$/);
		return { to: to.replace(/\?key=.*/, ''), event };
	});
}

async function executions(): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
	const { results } = await tested.editor.get<{ results: { id: string }[] }>(
		`/rest/executions?filter=${filter}`,
	);
	return results.map(({ id }) => id);
}

async function startJob(email: string): Promise<string> {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const { data } = await sandbox.api.post<{ id: string }>(path, bulkOf([email, 'no address']));
	return data.id;
}

interface Sent {
	id: string;
	status: string;
	attempts: { status: number }[];
}

async function deliveries(): Promise<Sent[]> {
	const { data } = await sandbox.web.get<Sent[]>('/_sandbox/deliveries');
	return data;
}

const settled = (count: number) =>
	until('the deliveries to arrive', async () => {
		const all = await deliveries();
		return all.length === count && all.every(({ status }) => status === 'delivered')
			? all
			: undefined;
	});

test('activating the workflow subscribes its production URL', async () => {
	await tested.editor.post(`/rest/workflows/${workflow.id}/activate`, {
		versionId: workflow.versionId,
	});
	await subscribed(url);
	expect(await subscriptions()).toEqual([{ to: url, event: 'job.ended' }]);
});

test('a job that ends starts one execution with its tasks', async () => {
	const id = await startJob('one@example.org');
	await settled(1);
	const [execution = ''] = await until('the execution', async () => {
		const ids = await executions();
		return ids.length > 0 ? ids : undefined;
	});
	const run = await executionEnd(tested.editor, execution);
	expect(run.status).toBe('success');
	expect(run.output('When it happens')).toMatchObject([
		{ event: 'job.ended', job_id: id, status: 'succeeded', person: { email: 'one@example.org' } },
		{ event: 'job.ended', job_id: id, status: 'failed', person: null },
	]);
});

test('a forged delivery gets a bare 401 and starts nothing', async () => {
	const body = { type: 'jobs', id: 'forged', attributes: { status: 'ended' } };
	const answer = await axios.post(url, body, { validateStatus: () => true });
	expect(answer.status).toBe(401);
	expect(answer.data).toBe('');
	expect(await executions()).toHaveLength(1);
});

test('after n8n was killed there is no second subscription, and nothing runs twice', async () => {
	const [delivery] = await deliveries();
	const { installation, userFolder, n8n, close } = tested;
	n8n.kill();
	await n8n.ended;
	const again = await startN8n(installation, { userFolder, port });
	tested = { ...tested, n8n: again, editor: new Editor(again.url) };
	tested.close = async () => {
		await again.stop();
		await close();
	};
	await tested.editor.signIn(owner);
	expect(await subscriptions()).toEqual([{ to: url, event: 'job.ended' }]);
	await sandbox.web.post(`/_sandbox/deliveries/${delivery?.id}/redeliver`, {});
	await settled(2);
	expect(await executions()).toHaveLength(1);
	await startJob('two@example.org');
	await settled(3);
	await until('the execution', async () => ((await executions()).length === 2 ? true : undefined));
});

test('listening in the editor uses the test URL and ends with the first event', async () => {
	const { waitingForWebhook } = await tested.editor.post<{ waitingForWebhook: boolean }>(
		`/rest/workflows/${workflow.id}/run`,
		{ triggerToStartFrom: { name: 'When it happens' } },
	);
	expect(waitingForWebhook).toBe(true);
	await subscribed(url, url.replace('/webhook/', '/webhook-test/'));
	await startJob('three@example.org');
	await until('both executions', async () =>
		(await executions()).length === 4 ? true : undefined,
	);
	await subscribed(url);
});

test('deactivating the workflow leaves no subscription', async () => {
	await tested.editor.post(`/rest/workflows/${workflow.id}/deactivate`, {});
	await subscribed();
});
