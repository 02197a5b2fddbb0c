import { provisionCredentials } from '../../host/provision';
import { picture, type TestedBrowser } from '../support/browser/browser';
import { manualTrigger, type Canvas } from '../support/browser/canvas';
import { openEditor, type OpenEditor } from '../support/browser/editor';
import type { TestedN8n } from '../support/n8n/n8n';
import type { TestSandbox } from '../support/platform/sandbox';
import { bulkRegister, chosenSession, manual, node, workflowOf } from '../support/n8n/workflows';
import { upcomingSession } from '../support/platform/seededIds';

let tested: TestedN8n;
let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;
let show: OpenEditor['show'];

beforeAll(async () => {
	({ tested, sandbox, browser, canvas, show } = await openEditor());
});

describe('someone who has just installed the connector', () => {
	test.each(['event platform', 'livestorm'])(
		'finds it in the node panel by "%s"',
		async (words) => {
			await canvas.newWorkflow();
			await canvas.search(words);
			const hits = canvas.panelItem(/Event Platform/);
			await hits.first().waitFor();
			const search = canvas.part('node-creator-search-bar');
			await picture(browser.page, 'search', { margin: { x: 0, y: 12 } }, search, hits.last());
		},
	);

	test('reads there what it does, and what can start a workflow', async () => {
		await canvas.newWorkflow();
		await canvas.search('event platform');
		const entry = canvas.panelItem('Event Platform').first();
		await entry.getByText('Manage webinars on the web-event platform').waitFor();
		await entry.click();
		await canvas.panelItem('On bulk registration ended').first().waitFor();
	});

	test('drags an operation from the panel onto the canvas', async () => {
		await canvas.dragOperation('Get many sessions');
		expect(await canvas.parameter('resource').locator('input').inputValue()).toBe('Session');
		expect(await canvas.parameter('operation').locator('input').inputValue()).toBe('Get Many');
	});

	test('connects the credential on the consent page of the platform', async () => {
		await canvas.firstCredential('OAuth2');
		await canvas.fillCredential({
			clientId: sandbox.clientId,
			clientSecret: sandbox.clientSecret,
			baseUrl: sandbox.baseUrl,
			authServerUrl: sandbox.authServerUrl,
		});
		await canvas.saveCredential();
		const consent = browser.page.context().waitForEvent('page');
		await canvas.part('quick-connect-button').click();
		const popup = await consent;
		await popup.getByRole('button', { name: 'Allow' }).waitFor();
		await popup.getByRole('button', { name: 'Allow' }).click();
		await canvas.credentialDialog.waitFor({ state: 'hidden' });

		await canvas.part('credential-edit-button').click();
		await canvas.part('oauth-connect-success-banner').locator('visible=true').waitFor();
		await pictureOfCredential('credential-oauth2');
		await canvas.closeCredential();
	});

	test('is told that a bad token does not work, and that a good one does', async () => {
		await canvas.anotherCredential('API Token');
		await canvas.fillCredential({ apiToken: 'not-a-token' });
		// With Livestorm's own address, which is out of reach here.
		await pictureOfCredential('credential-token');
		await canvas.fillCredential({ baseUrl: sandbox.baseUrl });
		await canvas.saveCredential();
		await canvas.credentialDialog.getByText('Couldn’t connect with these settings').waitFor();
		await canvas.credentialDialog.getByText('More details').click();
		await canvas.credentialDialog.getByText('does not accept the token (401)').waitFor();
		await canvas.fillCredential({ apiToken: sandbox.apiToken });
		await canvas.saveCredential();
		// n8n closes the dialog only when the test of the connection has passed.
		await canvas.credentialDialog.waitFor({ state: 'hidden' });

		await canvas.part('credential-edit-button').click();
		await canvas.credentialDialog.getByText('Connection tested successfully').waitFor();
		await canvas.closeCredential();
	});

	test('picks a session from the list, and finds those of an event by its title', async () => {
		await canvas.dragOperation('Register person for session');
		const all = await canvas.listOf('sessionId');
		expect(await all.count()).toBe(6);
		await canvas.picture('session-list', canvas.part('node-credentials-select'), all.last());
		await canvas.part('rlc-search').fill('product tour');
		await all.filter({ hasText: 'Customer Onboarding' }).first().waitFor({ state: 'detached' });
		await all.filter({ hasText: 'Americas' }).waitFor();
		await all.filter({ hasText: 'Europe' }).click();
	});

	test('sees the questions of the registration form as columns', async () => {
		const columns = canvas.part('mapping-fields-container');
		for (const question of ['Email', 'First Name', 'Last Name', 'Company']) {
			const marked = question === 'Email' ? question : `${question} (required)`;
			await columns.getByText(marked, { exact: true }).waitFor();
		}
		await canvas.parameter('email').locator('input').fill('ada@example.com');
		// So that no tip lies over the next question.
		await canvas.details.getByText('Parameters', { exact: true }).first().click();
		await picture(
			browser.page,
			'form-columns',
			{ size: { width: 1280, height: 1200 }, margin: { x: 16, y: 0, below: 10 } },
			canvas.part('node-credentials-select'),
			columns,
		);
		await canvas.closeNode();
	});
});

describe('someone who has a list of people', () => {
	test('registers 120 of them in bulk and reads the counts of the outcomes in a hint', async () => {
		const { oAuth: credential } = await provisionCredentials(tested.editor, sandbox);
		await sandbox.register('grace@example.com');
		const jsCode = `const names = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Linus Pauling', 'Mary Somerville'];
return Array.from({ length: 120 }, (_, index) => {
	const [first_name, last_name] = names[index % names.length].split(' ');
	const number = index < names.length ? '' : index + 1;
	const email = index === 3 ? 'linus' : index === 9 ? 'ada@example.com' : \`\${first_name.toLowerCase()}\${number}@example.com\`;
	return { json: { email, first_name, last_name, company: 'Engines' } };
});`;
		const words = '11:00 Paris · Europe · Product Tour: Autumn Release';
		const bulk = bulkRegister(credential, upcomingSession, {
			sessionId: chosenSession(upcomingSession, 7, words),
			fields: mapped('email', 'first_name', 'last_name', 'company'),
		});
		const list = node('People', 'n8n-nodes-base.code', { jsCode }, 2);
		await show(workflowOf('Webinar', manual, list, bulk));
		await canvas.node('Register in bulk').getByText('Bulk register people').waitFor();
		const columns = browser.page.waitForResponse(/resource-mapper-fields/);
		await canvas.openNode('Register in bulk');
		// The editor stores them, which counts as a change of the node.
		await columns;
		await drawn();
		await canvas.executeStep();
		await canvas.details.getByText('120 items').first().waitFor();
		await canvas.says(
			/^117 registered, 1 already registered, 1 invalid, 1 duplicate, \d+ requests/,
		);
		await canvas.closeNode();
		await canvas.part('canvas-node-status-success').nth(2).waitFor();
	});

	test('reaches every parameter with the keyboard alone', async () => {
		const { page } = browser;
		await canvas.newWorkflow();
		await findByKeyboard('manual', manualTrigger);
		await canvas.part('canvas-trigger-node').waitFor();
		await findByKeyboard('event platform', 'Event Platform');
		await canvas.part('node-creator-category-item').first().waitFor();
		const chosen = canvas.panelItem('Get people of session').and(page.locator('[class*="active"]'));
		for (let presses = 0; presses < 80 && !(await chosen.isVisible()); presses++) {
			await page.keyboard.press('ArrowDown');
			await drawn();
		}
		await page.keyboard.press('Enter');
		await canvas.parameter('sessionId').waitFor();

		const focused = page.locator('[data-test-id^="parameter-input-"]:focus-within');
		const session = page.locator('[data-test-id="rlc-input"]:is(:focus, :focus-within)');
		const sessions = canvas.part('rlc-search');
		const reached = new Set<string>();
		for (let presses = 0; presses < 60; presses++) {
			await page.keyboard.press('Tab');
			// Its list opens a moment after it is reached.
			if (await session.isVisible()) await sessions.waitFor({ timeout: 1_000 }).catch(() => {});
			if (await sessions.isVisible()) {
				await chooseByKeyboard();
				expect(await canvas.part('rlc-input').inputValue()).toMatch(
					/^\d{1,2} \w{3} \d{4}, \d\d:\d\d \w/,
				);
				reached.add('sessionId');
			}
			for (const part of await focused.all()) {
				const id = await part.getAttribute('data-test-id');
				reached.add((id ?? '').replace('parameter-input-', ''));
			}
		}
		const parameters = ['resource', 'operation', 'sessionId', 'returnAll', 'limit', 'simplify'];
		expect([...reached]).toEqual(expect.arrayContaining(parameters));
		// The list of what has the focus takes the first one.
		for (let presses = 0; presses < 3 && (await canvas.details.isVisible()); presses++) {
			await page.keyboard.press('Escape');
			await drawn();
		}
		await canvas.details.waitFor({ state: 'hidden' });
	});
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function pictureOfCredential(name: string) {
	await picture(
		browser.page,
		name,
		{ size: { width: 1280, height: 860 } },
		canvas.credentialDialog,
	);
}

/** Columns by hand: with those mapped by themselves the editor marks each run as out of date at once. */
function mapped(...columns: string[]) {
	const value = Object.fromEntries(columns.map((name) => [name, `={{ $json.${name} }}`]));
	return { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] };
}

/** Waits until the browser shows what the last key did: a key pressed before that would skip an entry. */
async function drawn() {
	const twoFrames =
		'new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))';
	await browser.page.evaluate(twoFrames);
}

async function findByKeyboard(words: string, name: string | RegExp) {
	const { keyboard } = browser.page;
	await (await canvas.openSearch()).focus();
	await keyboard.type(words);
	await canvas.part('item-iterator-item').first().filter({ hasText: name }).waitFor();
	await keyboard.press('Enter');
}

/** The list of sessions opens when it is reached, and keeps the focus until one is chosen. */
async function chooseByKeyboard() {
	const { keyboard } = browser.page;
	await canvas.part('rlc-item').first().waitFor();
	await keyboard.press('ArrowDown');
	await keyboard.press('Enter');
	await canvas.part('rlc-search').waitFor({ state: 'hidden' });
}
