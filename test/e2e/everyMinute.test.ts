import { executionEnd, executionsOf } from '../../host/execution';
import { until } from '../../host/until';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import { eventPlatformTrigger, workflowOf } from '../support/n8n/workflows';

let scene: ConnectedEditor;

beforeAll(async () => {
	scene = await openConnectedEditor();
});

describe('the polling trigger', () => {
	const trigger = 'Event Platform Polling Trigger';

	const countPolls = async () =>
		(await scene.sandbox.requests()).filter(({ path }) => path === '/v1/sessions').length;

	test('it is found in the panel, and says what its poll times cost', async () => {
		const { canvas } = scene;
		await canvas.newWorkflow();
		await canvas.search('event platform polling');
		// n8n leaves out the word "Trigger", and then offers each of the events.
		await canvas.panelItem('Event Platform Polling').first().click();
		await canvas.panelItem('Person Registered').first().click();
		await canvas.details.waitFor();
		await canvas.details.getByText('Polling every 15 minutes takes about 2,900').waitFor();
	});

	test('its test shows the latest registration', async () => {
		const { canvas, sandbox } = scene;
		await sandbox.register('latest@example.org');
		await canvas.details.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await canvas.details.getByText('latest@example.org').first().waitFor();
		await canvas.closeNode();
	});

	test('published, it starts a run for who registers from then on', async () => {
		const { canvas, browser, tested, sandbox } = scene;
		await canvas.node(trigger).getByText('Person Registered').waitFor();
		const polls = await countPolls();
		await canvas.publish();
		// Publishing goes on in the background; its first poll says from when on.
		await until('the first poll', async () => (await countPolls()) > polls);
		const workflowId = new URL(browser.page.url()).pathname.split('/').at(-1) ?? '';
		const tests = await executionsOf(tested.editor, workflowId);
		await sandbox.register('ada@example.org');
		expect(await run(workflowId, trigger, tests.length)).toMatchObject({
			email: 'ada@example.org',
			event_key: expect.any(String) as string,
		});
	});
});

describe('the check of the webhook trigger', () => {
	const trigger = 'When somebody registers';
	let workflowId: string;

	/** The looks at the subscriptions, which none of this test's own are. */
	const countChecks = async () =>
		(await scene.sandbox.requests()).filter(
			({ method, path, tokenKind }) =>
				method === 'GET' && path === '/v1/webhooks' && tokenKind === 'access_token',
		).length;

	/** Gives the email of the person who registered, according to this run. The first run is 0. */
	const registeredInRun = async (nth: number) => (await run(workflowId, trigger, nth)).email;

	test('as long as it is subscribed, the platform tells who registers', async () => {
		const { canvas, sandbox, show, credentials } = scene;
		// Every minute is the most that n8n allows of one time; the trigger looks once in a minute at most.
		const item = [0, 20, 40].map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		}));
		const parameters = { events: ['people.registered'], pollTimes: { item } };
		const node = { ...eventPlatformTrigger(credentials.oAuth, parameters), name: trigger };
		workflowId = await show(workflowOf('Hear of registrations', node));
		await canvas.publish();
		await until('a subscription', async () => (await sandbox.subscriptions()).length > 0);
		await sandbox.register('told@example.org');
		expect(await registeredInRun(0)).toBe('told@example.org');
	});

	test('what is gone is subscribed anew by the check, and who registered meanwhile starts one run', async () => {
		const { sandbox } = scene;
		const [lost] = await sandbox.subscriptions();
		await sandbox.api.delete(`/webhooks/${lost?.id}`);
		await sandbox.register('missed@example.org');

		expect(await registeredInRun(1)).toBe('missed@example.org');
		const [anew, ...rest] = await sandbox.subscriptions();
		expect(rest).toEqual([]);
		expect(anew?.id).not.toBe(lost?.id);
		expect(anew?.event).toBe('people.registered');
		expect(anew?.url).toMatch(/\?key=[\w-]{43}$/);
		expect(anew?.url).toBe(lost?.url);
	});

	test('from then on the platform tells again, and the next check catches up with nothing', async () => {
		const { sandbox, tested } = scene;
		await sandbox.register('again@example.org');
		expect(await registeredInRun(2)).toBe('again@example.org');
		const checks = await countChecks();
		await until('another check', async () => (await countChecks()) > checks, 150_000);
		expect(await executionsOf(tested.editor, workflowId)).toHaveLength(3);
		expect(await sandbox.subscriptions()).toHaveLength(1);
	});

	test('the executions of the workflow show the three runs, the caught up one among them', async () => {
		const { canvas, browser, tested } = scene;
		await canvas.part('radio-button-executions').click();
		const runs = browser.page.locator('[data-test-execution-status="success"]');
		await until('the runs', async () => (await runs.count()) === 3);
		const [, caughtUp] = await executionsOf(tested.editor, workflowId);
		await browser.page.locator(`a[href$="/executions/${caughtUp}"]`).click();
		await canvas.openNode(trigger);
		await browser.page.getByText('missed@example.org').first().waitFor();
	});
});

test('the browser reports no error', () => {
	expect(scene.browser.errors).toEqual([]);
});

/** The one item of this run; the first run is 0. */
async function run(workflowId: string, trigger: string, nth: number) {
	const { editor } = scene.tested;
	const nthRun = async () => (await executionsOf(editor, workflowId))[nth];
	const { status, output } = await executionEnd(editor, await until(`run ${nth}`, nthRun, 150_000));
	expect(status).toBe('success');
	const [item = {}, ...rest] = output(trigger);
	expect(rest).toEqual([]);
	expect(item).toMatchObject({ event: 'people.registered' });
	return item;
}
