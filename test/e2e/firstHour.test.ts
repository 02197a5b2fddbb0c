import type { SavedCredential } from '../../host/editor';
import { screenshot, type TestedBrowser } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import type { TestedN8n } from '../support/n8n/n8n';
import { eventPlatform, manual, workflowOf } from '../support/n8n/workflows';

let tested: TestedN8n;
let browser: TestedBrowser;
let canvas: Canvas;
let show: ConnectedEditor['show'];
let credential: SavedCredential;

beforeAll(async () => {
	const editor = await openConnectedEditor();
	({ tested, browser, canvas, show } = editor);
	credential = editor.credentials.oAuth;
});

describe('in the first hour', () => {
	test('"livestorm" finds the credentials', async () => {
		await browser.page.goto(`${tested.n8n.url}/home/credentials`);
		await canvas.part('add-resource-credential').or(canvas.part('add-resource')).first().click();
		await canvas.part('new-credential-type-select').locator('input').fill('livestorm');
		const types = canvas.part('new-credential-type-select-option').locator('visible=true');
		await types.first().waitFor();
		expect((await types.allInnerTexts()).sort()).toEqual([
			'Event Platform (Livestorm) API',
			'Event Platform (Livestorm) OAuth2 API',
		]);
	});

	test('the list of sessions shows date, zone, name and title within its width', async () => {
		await openRegister();
		const session = (await canvas.listOf('sessionId')).filter({ hasText: 'Paris' }).first();
		expect(await session.innerText()).toMatch(
			/^\d{1,2} \w{3} \d{4}, \d\d:\d\d Paris · Europe · Product Tour: Autumn Release/,
		);
		await session.click();
	});

	test('the search of the list says that nothing matches, in a line that cannot be chosen', async () => {
		const sessions = await canvas.listOf('sessionId');
		await canvas.part('rlc-search').fill('English #99');
		const nothing = sessions.filter({ hasText: 'No sessions match "English #99"' });
		await nothing.click();
		// Until the answer is there, n8n shows the chosen session without its URL, on which the answers depend.
		const answered = browser.page.waitForResponse(/resource-locator-results/);
		await canvas.part('rlc-search').fill('europe paris');
		await answered;
		await nothing.waitFor({ state: 'hidden' });
		await sessions.filter({ hasText: 'Paris · Europe' }).first().click();
	});

	test('a required question is marked, and several choices are typed with commas', async () => {
		await canvas.details.getByText('Company (required)', { exact: true }).waitFor();
		await canvas.details
			.getByText('Interests (Product, Pricing, Integrations)', { exact: true })
			.waitFor();
		await answer('email', 'ada@example.com');
		await answer('company', 'Engines');
		await answer('interests', 'Product, Pricing');
		await lookedAt('answers');
	});

	test('another session of the event keeps the answers', async () => {
		await (await canvas.listOf('sessionId')).filter({ hasText: 'New York' }).first().click();
		await canvas.part('rlc-item').first().waitFor({ state: 'hidden' });
		expect(await canvas.parameter('company').locator('input').inputValue()).toBe('Engines');
		expect(await canvas.parameter('interests').locator('input').inputValue()).toBe(
			'Product, Pricing',
		);
		await canvas.part('node-execute-button').click();
		await canvas.details
			.getByText(
				/Registered without answers that the form requires: 1 person .*without 'First Name'.* without 'Last Name'/,
			)
			.waitFor();
		await lookedAt('another-session');
		await canvas.details
			.getByText('already_registered')
			.or(canvas.details.getByText('registered'))
			.first()
			.waitFor();
		await canvas.closeNode();
	});
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function openRegister() {
	const parameters = { resource: 'registration', operation: 'register' };
	await show(workflowOf('First hour', manual, eventPlatform('Register', credential, parameters)));
	await canvas.openNode('Register');
}

/** A picture shows what the words of these tests cannot say. */
async function lookedAt(name: string) {
	await screenshot(browser.page, `first-hour-${name}`);
}

async function answer(question: string, text: string) {
	await canvas.parameter(question).locator('input').fill(text);
}
