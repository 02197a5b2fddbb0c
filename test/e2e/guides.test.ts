import type { WorkflowNode } from '../../host/editor';
import { until } from '../../host/until';
import { picture } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { Film } from './film';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import { heldSession, otherSession, upcomingSession } from '../support/platform/seededIds';
import {
	bulkRegister,
	chosenSession,
	eventPlatform,
	eventPlatformPollingTrigger,
	eventPlatformTrigger,
	manual,
	node,
	workflowOf,
} from '../support/n8n/workflows';

/** The guides show the output of nodes. These tests look at it in the editor. */

let scene: ConnectedEditor;
let canvas: Canvas;

beforeAll(async () => {
	scene = await openConnectedEditor({ sandbox: { seedPeople: 2_000 } });
	({ canvas } = scene);
});

beforeEach(() => canvas.closeAll());

test('a list is registered: session, columns, run, how many were registered, and who was not and why', async () => {
	const jsCode = firstList;
	const list = node('Guest list', 'n8n-nodes-base.code', { jsCode }, 2);
	const register = bulkRegister(scene.credentials.token, '', {
		sessionId: unchosen,
		output: 'failed',
	});
	const film = new Film(scene.browser.page);
	await scene.browser.page.setViewportSize({ width: 1000, height: 560 });
	await scene.show(workflowOf('First list', manual, list, register));
	await canvas.openNode(register.name);
	const sessions = await canvas.listOf('sessionId');
	await film.add(2_500);
	await sessions.filter({ hasText: 'Paris' }).click();
	await canvas.part('rlc-item').first().waitFor({ state: 'hidden' });
	await film.add(2_000);
	await canvas.closeNode();
	await canvas.execute();
	const successMark = '[data-test-id="canvas-node-status-success"]';
	await canvas.node(register.name).locator(successMark).waitFor();
	await film.add(2_500);
	await canvas.openNode(register.name);
	await canvas.says(/^117 registered, 2 invalid, 1 duplicate/);
	await canvas.output.getByText('Table', { exact: true }).click();
	await canvas.says('is not an email address');
	await canvas.widenOutput();
	await film.add(5_500);
	film.save('first-list');
	await scene.browser.page.setViewportSize({ width: 1280, height: 800 });
});

test('the answer in short: how many were registered, and each person with a status and a reason', async () => {
	const list = node('Guest list', 'n8n-nodes-base.code', { jsCode: firstList }, 2);
	const register = bulkRegister(scene.credentials.token, otherSession);
	const size = { width: 1000, height: 640 };
	await scene.browser.page.setViewportSize(size);
	await scene.show(workflowOf('First answer', manual, list, register));
	await canvas.openNode(register.name);
	await canvas.executeStep();
	await canvas.says(/^117 registered, 2 invalid, 1 duplicate/);
	await canvas.output.getByText('Table', { exact: true }).click();
	await canvas.says('Row 1 has the same person');
	await canvas.widenOutput();
	// What else is known of a person would make the picture too wide for the first page.
	const style = 'th:nth-child(n + 4), td:nth-child(n + 4) { display: none !important; }';
	await scene.browser.page.addStyleTag({ content: style });
	const hint = canvas.output.getByText(/^117 registered, 2 invalid, 1 duplicate/);
	const fourth = canvas.rows.nth(3).locator('td').nth(2);
	const first = canvas.output.locator('th').first();
	const settings = { size, margin: { x: 0, y: 14, below: 0 } };
	await picture(scene.browser.page, 'first-list-result', settings, hint, first, fourth);
	await scene.browser.page.setViewportSize({ width: 1280, height: 800 });
});

test('a session that is over: the error says what happened, and what to do', async () => {
	const register = bulkRegister(scene.credentials.token, heldSession, {
		sessionId: chosenSession(heldSession, -30, '10:00 UTC · State of the Industry 2026'),
	});
	const list = node('Guests', 'n8n-nodes-base.code', { jsCode: guests }, 2);
	await scene.show(workflowOf('Over', manual, list, register));
	await canvas.openNode(register.name);
	await canvas.executeStep();
	await canvas.says(/nobody can register any more/);
	await canvas.widenOutput();
	const size = { width: 1000, height: 355 };
	await picture(scene.browser.page, 'error-message', { size }, canvas.output);
});

test('a scope that the credential lacks: the error names it, and says where to get it', async () => {
	const users = eventPlatform('The team', scene.credentials.oAuth, {
		resource: 'user',
		operation: 'getAll',
	});
	await scene.show(workflowOf('A scope is missing', manual, users));
	await canvas.openNode(users.name);
	await canvas.executeStep();
	await canvas.says(/lacks the scope admin:read/);
	await canvas.widenOutput();
	const size = { width: 1000, height: 355 };
	await picture(scene.browser.page, 'error-scope', { size }, canvas.output);
});

test('people who were not registered leave by the error output, each with the reason', async () => {
	await scene.sandbox.register('grace@example.com');
	const words = '11:00 Paris · Europe · Product Tour: Autumn Release';
	const register: WorkflowNode = {
		...bulkRegister(scene.credentials.token, upcomingSession, {
			sessionId: chosenSession(upcomingSession, 7, words),
		}),
		onError: 'continueErrorOutput',
	};
	const list = node('Guests', 'n8n-nodes-base.code', { jsCode: guests }, 2);
	await scene.show(workflowOf('Guests', manual, list, register));
	await canvas.openNode(register.name);
	await canvas.executeStep();
	await canvas.output
		.getByText(/^Error/)
		.first()
		.click();
	await canvas.says('"linus" is not an email address.');
	await canvas.says(/is not a choice of 'Team Size'/);
	await canvas.widenOutput();
	await picture(scene.browser.page, 'error-output', { size: wide }, canvas.output);
});

test('Get Report has one row for each campaign', async () => {
	const report = eventPlatform('Report', scene.credentials.token, {
		resource: 'session',
		operation: 'getReport',
		sessionId: chosenSession(heldSession, -32, '10:00 UTC · past · State of the Industry 2026'),
		output: 'groups',
		groupBy: 'utmCampaign',
	});
	await scene.show(workflowOf('Report', manual, report));
	await canvas.openNode('Report');
	await canvas.executeStep();
	await canvas.says('4 items');
	for (const column of ['group', 'registrants', 'attendees', 'attendance_rate']) {
		await canvas.output.locator('th').getByText(column, { exact: true }).waitFor();
	}
	await canvas.widenOutput();
	const size = { width: 1800, height: 420 };
	await picture(scene.browser.page, 'report-groups', { size }, canvas.output);
});

test('a new trigger waits for the end of a job, and can wait for registrations of some webinars', async () => {
	const trigger = eventPlatformTrigger(scene.credentials.token, {});
	await scene.show(workflowOf('A new trigger', trigger));
	await canvas.openNode(trigger.name);
	await canvas.details.getByText('Job Ended', { exact: true }).first().waitFor();
	const limited = eventPlatformTrigger(scene.credentials.token, {
		events: ['people.registered'],
		options: { eventTitleContains: 'Product Tour' },
	});
	await canvas.closeNode();
	await scene.show(workflowOf('Some webinars', limited));
	await canvas.openNode(limited.name);
	await canvas.details.getByText('Person Registered', { exact: true }).first().waitFor();
	await settingsOfTrigger('trigger', 1_000);
});

test('a registration that the platform tells is one item with the person, the event and the session', async () => {
	const name = 'When somebody registers';
	const parameters = { events: ['people.registered'] };
	const trigger = { ...eventPlatformTrigger(scene.credentials.token, parameters), name };
	await scene.show(workflowOf('Registrations', trigger));
	await canvas.openNode(name);
	await canvas.executeStep();
	await until('a subscription', async () => (await scene.sandbox.subscriptions()).length > 0);
	await scene.sandbox.register('barbara@example.com', answers);
	await canvas.says('1 item');
	await seeItem();
	const size = { width: 1280, height: 900 };
	await picture(scene.browser.page, 'trigger-item', { size }, canvas.output);
});

test('a registration that the polling trigger finds is the same item', async () => {
	const name = 'When somebody registered';
	const pollTimes = { item: [{ mode: 'everyX', value: 15, unit: 'minutes' }] };
	const parameters = { pollTimes, events: ['people.registered'] };
	const trigger = { ...eventPlatformPollingTrigger(scene.credentials.token, parameters), name };
	await scene.show(workflowOf('Registrations', trigger));
	await canvas.openNode(name);
	await canvas.details.getByText('Polling every 15 minutes takes about 2,900').waitFor();
	await settingsOfTrigger('polling-trigger', 1_110);
	await canvas.details.getByRole('button', { name: 'Fetch Test Event' }).first().click();
	await canvas.says('1 item');
	await seeItem();
});

test('the browser reports no error', () => {
	expect(scene.browser.errors).toEqual([]);
});

const wide = { width: 1_850, height: 1_060 };
const answers = { first_name: 'Barbara', last_name: 'Liskov', company: 'Engines' };

const unchosen = { __rl: true, mode: 'list', value: '' };

const firstList = `const names = ['Ada Lovelace', 'Grace Hopper', 'Linus Pauling', 'Mary Somerville', 'Alan Turing'];
return Array.from({ length: 120 }, (_, index) => {
	const [first_name, last_name] = names[index % names.length].split(' ');
	const number = index < names.length ? '' : index + 1;
	const usual = \`\${first_name.toLowerCase()}\${number}@example.org\`;
	const email = { 1: 'grace', 3: 'Ada@Example.org', 8: 'no address' }[index] ?? usual;
	return { json: { email, first_name, last_name, company: 'Engines' } };
});`;

const guests = `return [
	['ada@example.com', 'Ada', 'Lovelace', '1-10'],
	['grace@example.com', 'Grace', 'Hopper', '11-100'],
	['linus', 'Linus', 'Pauling', '1-10'],
	['mary@example.com', 'Mary', 'Somerville', '5 people'],
	['Ada@Example.com', 'Ada', 'Lovelace', '1-10'],
	['alan@example.com', 'Alan', 'Turing', '100+'],
].map(([email, first_name, last_name, team_size]) => ({ json: {
	email, first_name, last_name, company: 'Engines', team_size,
} }));`;

async function settingsOfTrigger(name: string, height: number) {
	const settings = [canvas.part('tab-params'), canvas.part('node-parameters')];
	const size = { width: 1280, height };
	await picture(scene.browser.page, name, { size, margin: { x: 0, y: 10, below: 0 } }, ...settings);
}

/** Its fields under each other, as n8n's view of the schema has them. */
async function seeItem() {
	await canvas.output.getByText('Schema', { exact: true }).click();
	for (const field of ['event', 'event_key', 'email', 'event_title']) {
		await canvas.output.getByText(field, { exact: true }).first().waitFor();
	}
}
