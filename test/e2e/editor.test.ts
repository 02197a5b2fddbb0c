import { freePort } from '../../host/ports';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import {
	lastSight,
	openBrowser,
	picture,
	updatesImages,
	type TestedBrowser,
} from '../support/browser';
import { Canvas } from '../support/canvas';
import { redirectUriOf, startTestedN8n, type TestedN8n } from '../support/n8n';

jest.setTimeout(120_000);

let tested: TestedN8n;
let sandbox: Sandbox;
let browser: TestedBrowser;
let canvas: Canvas;

beforeAll(async () => {
	const port = updatesImages ? 5678 : await freePort();
	sandbox = await startSandbox({
		port: updatesImages ? 4010 : 0,
		redirectUri: redirectUriOf(port),
		rate: 0,
	});
	tested = await startTestedN8n({ port });
	browser = await openBrowser(tested.n8n.url);
	canvas = new Canvas(browser.page, tested.n8n.url);
});

afterEach(() => lastSight(browser.page, expect.getState().currentTestName));

afterAll(async () => {
	await browser?.close();
	await tested?.close();
	await sandbox?.close();
});

describe('someone who has just installed the connector', () => {
	test.each(['event platform', 'livestorm'])(
		'finds it in the node panel by "%s"',
		async (words) => {
			await canvas.newWorkflow();
			await canvas.search(words);
			await canvas.found('Event Platform').first().waitFor();
			if (words === 'livestorm') await picture(browser.page, 'node-panel');
		},
	);

	test('drags an operation from the panel onto the canvas', async () => {
		await canvas.newWorkflow();
		await canvas.addTrigger('Trigger manually');
		await canvas.search('event platform');
		await canvas.found('Event Platform').first().click();
		await picture(browser.page, 'operations');
		await canvas.drag(canvas.found('Get many sessions'));
		expect(await canvas.parameter('resource').locator('input').inputValue()).toBe('Session');
		expect(await canvas.parameter('operation').locator('input').inputValue()).toBe('Get Many');
	});

	test('connects the credential on the consent page of the platform', async () => {
		await canvas.firstCredential();
		await canvas.fillCredential({
			clientId: sandbox.clientId,
			clientSecret: sandbox.clientSecret,
			baseUrl: sandbox.baseUrl,
			authServerUrl: sandbox.authServerUrl,
		});
		await picture(browser.page, 'credential');
		await canvas.saveCredential();
		const consent = browser.context.waitForEvent('page');
		await canvas.part('quick-connect-button').click();
		const popup = await consent;
		await popup.getByRole('button', { name: 'Allow' }).waitFor();
		await picture(popup, 'consent');
		await popup.getByRole('button', { name: 'Allow' }).click();
		await canvas.credentialDialog.waitFor({ state: 'hidden' });

		await canvas.part('credential-edit-button').click();
		await canvas.part('oauth-connect-success-banner').waitFor();
		await picture(browser.page, 'credential-connected');
		await canvas.closeCredential();
	});

	test('is told that a bad token does not work, and that a good one does', async () => {
		await canvas.anotherCredential('API Token');
		await canvas.fillCredential({ apiToken: 'not-a-token', baseUrl: sandbox.baseUrl });
		await canvas.saveCredential();
		await canvas.credentialDialog.getByText('Couldn’t connect with these settings').waitFor();
		await canvas.fillCredential({ apiToken: sandbox.apiToken });
		await canvas.saveCredential();
		// n8n closes the dialog only when the connection has been tested well.
		await canvas.credentialDialog.waitFor({ state: 'hidden' });
	});

	test('picks a session from the list, and finds those of an event by its title', async () => {
		await canvas.newWorkflow();
		await canvas.addTrigger('Trigger manually');
		await canvas.search('event platform');
		await canvas.found('Event Platform').first().click();
		await canvas.drag(canvas.found('Register a person for a session'));
		const all = await canvas.listOf('sessionId');
		expect(await all.count()).toBe(6);
		await canvas.part('rlc-search').fill('product tour');
		await all.filter({ hasText: 'Customer Onboarding' }).first().waitFor({ state: 'detached' });
		await picture(browser.page, 'session-list');
		await all.filter({ hasText: 'Europe' }).click();
	});

	test('sees the questions of the registration form as columns', async () => {
		const columns = canvas.part('mapping-fields-container');
		for (const question of ['Email', 'First Name', 'Last Name', 'Company']) {
			await columns.getByText(question, { exact: true }).waitFor();
		}
		await picture(browser.page, 'form-columns');
		await canvas.closeNode();
	});
});

test('the browser has nothing to complain about', () => {
	expect(browser.complaints).toEqual([]);
});
