import { executionEnd, executionsOf } from '../../host/execution';
import { until } from '../../host/until';
import { picture, type TestedBrowser } from '../support/browser';
import type { Canvas } from '../support/canvas';
import { openConnectedEditor } from '../support/editor';
import type { TestedN8n } from '../support/n8n';
import { personOf, upcomingSession, type TestSandbox } from '../support/sandbox';

jest.setTimeout(180_000);

const trigger = 'Event Platform Polling Trigger';

let tested: TestedN8n;
let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;

beforeAll(async () => {
	({ tested, sandbox, browser, canvas } = await openConnectedEditor());
});

test('it is found in the panel, and says what its poll times cost', async () => {
	await canvas.newWorkflow();
	await canvas.search('event platform polling');
	// n8n leaves out the word "Trigger", and then offers each of the events.
	await canvas.found('Event Platform Polling').first().click();
	await canvas.found('Person Registered').first().click();
	await canvas.details.waitFor();
	await canvas.details.getByText('Every 15 minutes uses about 2,900').waitFor();
	const panel = [canvas.part('tab-params'), canvas.part('node-execute-button')];
	await picture(
		browser.page,
		'polling-trigger',
		undefined,
		...panel,
		canvas.part('node-parameters'),
	);
});

test('its test shows the latest registration', async () => {
	await register('latest@example.org');
	await canvas.details.getByRole('button', { name: 'Fetch Test Event' }).first().click();
	await canvas.details.getByText('latest@example.org').first().waitFor();
	await canvas.closeNode();
});

test('published, it starts a run for who registers from then on', async () => {
	await canvas.node(trigger).getByText('3,333 requests a month').waitFor();
	const checks = await countChecks();
	await canvas.publish();
	// Publishing goes on in the background; its first check says from when on.
	await until('the first check', async () => (await countChecks()) > checks || undefined);
	const workflowId = new URL(browser.page.url()).pathname.split('/').at(-1) ?? '';
	const tests = await executionsOf(tested.editor, workflowId);
	await register('ada@example.org');
	const execution = await until(
		'an execution',
		async () => (await executionsOf(tested.editor, workflowId))[tests.length],
		150_000,
	);
	const { status, output } = await executionEnd(tested.editor, execution);
	expect(status).toBe('success');
	expect(output(trigger)).toMatchObject([
		{
			event: 'people.registered',
			email: 'ada@example.org',
			event_key: expect.any(String) as string,
		},
	]);
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function countChecks(): Promise<number> {
	return (await sandbox.requests()).filter(({ path }) => path === '/v1/sessions').length;
}

async function register(email: string) {
	await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
}
