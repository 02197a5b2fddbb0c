import type { SavedCredential, WorkflowNode } from '../../host/editor';
import { screenshot, type TestedBrowser } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import type { TestedN8n } from '../support/n8n/n8n';
import type { TestSandbox } from '../support/platform/sandbox';
import { bulkRegister, eventPlatform, manual, node, workflowOf } from '../support/n8n/workflows';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

let tested: TestedN8n;
let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;
let show: ConnectedEditor['show'];
let credential: SavedCredential;

beforeAll(async () => {
	const editor = await openConnectedEditor();
	({ tested, sandbox, browser, canvas, show } = editor);
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
			/^\d{1,2} \w{3}( \d{4})? \d\d:\d\d Paris · Europe · Product Tour: Autumn Release/,
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

	test('sixty people with bad rows are registered in bulk, mapped by hand', async () => {
		await sandbox.register('row1@example.com');
		const jsCode = `return Array.from({ length: 60 }, (_, index) => ({ json: {
	email: index === 2 ? '' : \`row\${index}@example.com\`, first: 'Person', last: String(index), company: index === 3 ? '' : 'Engines',
	size: index === 4 ? '5 people' : index === 5 ? '' : '1-10', interests: index === 6 ? 'Product, Pricing' : '',
} }));`;
		const value = {
			email: '={{ $json.email }}',
			first_name: '={{ $json.first }}',
			last_name: '={{ $json.last }}',
			company: '={{ $json.company }}',
			team_size: '={{ $json.size }}',
			interests: '={{ $json.interests }}',
		};
		await runWorkflow(
			'Register in bulk',
			node('People', 'n8n-nodes-base.code', { jsCode }, 2),
			bulkRegister(credential, upcomingSession, {
				fields: { mappingMode: 'defineBelow', value, schema: await columns(), matchingColumns: [] },
			}),
		);
		await says(/^57 registered, 1 already registered, 2 invalid/);
		await says(
			/Registered without answers that the form requires: 1 person \(.*\) without 'Company'\./,
		);
		await says(`"5 people" is not a choice of 'Team Size'. It has 1-10, 11-100, 100+.`);
		await says('There is no email. It is the one field that every person needs.');
		await lookedAt('bad-rows');
		await canvas.closeNode();
	});

	test('the people of a session are a table in which status and attendance can be read', async () => {
		const sessionId = byId(upcomingSession);
		const parameters = { resource: 'session', operation: 'getPeople', sessionId };
		await runWorkflow('Attendees', eventPlatform('Attendees', credential, parameters));
		for (const heading of ['email', 'attended', 'attendance_rate']) {
			await canvas.details.getByText(heading, { exact: true }).first().waitFor();
		}
		await lookedAt('attendees');
		await canvas.closeNode();
	});

	test('a list with the headings of the form is mapped by itself', async () => {
		const jsCode = `return [{ json: { Email: 'label@example.com', 'First Name': 'Ada', 'Last Name': 'L', Company: 'E', Shoes: 43 } }]`;
		await runWorkflow(
			'Register in bulk',
			node('People', 'n8n-nodes-base.code', { jsCode }, 2),
			bulkRegister(credential, upcomingSession),
		);
		await says(
			"Not on the registration form and therefore ignored: 'Shoes'. It asks for 'Email', ",
		);
		await says(/^1 registered/);
		await lookedAt('left-out');
		await canvas.closeNode();
	});
});

test('the browser reports no error', () => {
	expect(browser.errors).toEqual([]);
});

async function openWorkflow(...nodes: WorkflowNode[]) {
	await show(workflowOf('First hour', manual, ...nodes));
}

/** Runs the whole workflow and opens its last node. */
async function runWorkflow(last: string, ...nodes: WorkflowNode[]) {
	await openWorkflow(...nodes);
	await canvas.execute();
	await canvas.part('canvas-node-status-success').nth(nodes.length).waitFor();
	await canvas.openNode(last);
}

async function openRegister() {
	const parameters = { resource: 'registration', operation: 'register' };
	await openWorkflow(eventPlatform('Register', credential, parameters));
	await canvas.openNode('Register');
}

/** A picture shows what the words of these tests cannot say. */
async function lookedAt(name: string) {
	await screenshot(browser.page, `first-hour-${name}`);
}

async function says(words: string | RegExp) {
	await canvas.details.getByText(words).first().waitFor();
}

async function answer(question: string, text: string) {
	await canvas.parameter(question).locator('input').fill(text);
}

/** Gets the columns as the editor asks for them. */
async function columns() {
	const { type, id, name } = credential;
	const { fields } = await tested.editor.post<{ fields: object[] }>(
		'/rest/dynamic-node-parameters/resource-mapper-fields',
		{
			path: 'parameters.fields',
			methodName: 'registrationForm',
			nodeTypeAndVersion: { name: 'n8n-nodes-event-platform.eventPlatform', version: 1 },
			currentNodeParameters: {
				authentication: 'oAuth2',
				resource: 'registration',
				operation: 'register',
				sessionId: byId(upcomingSession),
			},
			credentials: { [type]: { id, name } },
		},
	);
	return fields;
}
