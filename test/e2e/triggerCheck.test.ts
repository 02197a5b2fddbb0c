import { executionEnd, executionsOf } from '../../host/execution';
import { until } from '../../host/until';
import type { TestedBrowser } from '../support/browser';
import type { Canvas } from '../support/canvas';
import { openConnectedEditor } from '../support/editor';
import type { TestedN8n } from '../support/n8n';
import { personOf, upcomingSession, type TestSandbox } from '../support/sandbox';
import { eventPlatformTrigger, workflowOf } from '../support/workflows';

jest.setTimeout(300_000);

const trigger = 'When somebody registers';

let tested: TestedN8n;
let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;
let workflowId: string;

beforeAll(async () => {
	const editor = await openConnectedEditor();
	({ tested, sandbox, browser, canvas } = editor);
	// Every minute is the most that n8n allows of one time; the trigger looks once in a minute at most.
	const item = [0, 20, 40].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	}));
	const parameters = { events: ['people.registered'], pollTimes: { item } };
	const node = eventPlatformTrigger(editor.credentials.oAuth, parameters);
	const workflow = workflowOf('Hear of registrations', { ...node, name: trigger });
	workflowId = (await tested.editor.post<{ id: string }>('/rest/workflows', workflow)).id;
});

test('as long as it is subscribed, the platform tells who registers', async () => {
	await canvas.open(workflowId);
	await canvas.publish();
	await until('a subscription', async () =>
		(await subscriptions()).length > 0 ? true : undefined,
	);
	await register('told@example.org');
	expect(await registeredInRun(0)).toBe('told@example.org');
});

test('what is gone is subscribed anew by the check, and who registered meanwhile starts one run', async () => {
	const [lost] = await subscriptions();
	await sandbox.api.delete(`/webhooks/${lost?.id}`);
	await register('missed@example.org');

	expect(await registeredInRun(1, 150_000)).toBe('missed@example.org');
	const [anew, ...others] = await subscriptions();
	expect(others).toEqual([]);
	expect(anew?.id).not.toBe(lost?.id);
	expect(anew?.attributes.event).toBe('people.registered');
	expect(anew?.attributes.url).toMatch(/\?key=[\w-]{43}$/);
	expect(anew?.attributes.url).toBe(lost?.attributes.url);
});

test('from then on the platform tells again, and the next check catches up with nothing', async () => {
	await register('again@example.org');
	expect(await registeredInRun(2)).toBe('again@example.org');
	const checks = await countChecks();
	await until(
		'another check',
		async () => ((await countChecks()) > checks ? true : undefined),
		150_000,
	);
	expect(await executionsOf(tested.editor, workflowId)).toHaveLength(3);
	expect(await subscriptions()).toHaveLength(1);
});

test('the executions of the workflow show the three runs, the caught up one among them', async () => {
	await canvas.part('radio-button-executions').click();
	const runs = browser.page.locator('[data-test-execution-status="success"]');
	await until('the runs', async () => ((await runs.count()) === 3 ? true : undefined));
	const [, caughtUp] = await executionsOf(tested.editor, workflowId);
	await browser.page.locator(`a[href$="/executions/${caughtUp}"]`).click();
	await canvas.openNode(trigger);
	await browser.page.getByText('missed@example.org').first().waitFor();
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function subscriptions() {
	const { data } = await sandbox.api.get<{
		data: Array<{ id: string; attributes: { event: string; url: string } }>;
	}>('/webhooks');
	return data.data;
}

async function register(email: string) {
	await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
}

/** Who registered, according to this run; the first one is 0. */
async function registeredInRun(nth: number, atMostMs?: number): Promise<unknown> {
	const id = await until(
		`run ${nth}`,
		async () => (await executionsOf(tested.editor, workflowId))[nth],
		atMostMs,
	);
	const { status, output } = await executionEnd(tested.editor, id);
	expect(status).toBe('success');
	const items = output(trigger);
	expect(items).toMatchObject([{ event: 'people.registered' }]);
	return items[0]?.email;
}

/** The looks at the subscriptions, which none of this test's own are. */
async function countChecks(): Promise<number> {
	const requests = await sandbox.requests();
	return requests.filter(
		({ method, path, tokenKind }) =>
			method === 'GET' && path === '/v1/webhooks' && tokenKind === 'access_token',
	).length;
}
