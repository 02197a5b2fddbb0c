import type { WorkflowNode } from '../../host/editor';
import { until } from '../../host/until';
import type { TestedBrowser } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor } from '../support/browser/editor';
import { registered } from '../support/platform/registrants';
import type { TestSandbox } from '../support/platform/sandbox';
import {
	bulkRegister,
	chosenSession,
	eventPlatform,
	eventPlatformPollingTrigger,
	manual,
	node,
	workflowOf,
} from '../support/n8n/workflows';
import { heldSession, otherSession, upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

let sandbox: TestSandbox;
let browser: TestedBrowser;
let canvas: Canvas;

/** One workflow for all: what a test needs of it is one of its nodes. */
beforeAll(async () => {
	const editor = await openConnectedEditor();
	({ sandbox, browser, canvas } = editor);
	const { token, oAuth } = editor.credentials;
	const asInList = { mappingMode: 'autoMapInputData', value: null };
	const list = node('List', 'n8n-nodes-base.code', { jsCode: withRealHeaders }, 2);
	const bulk = bulkRegister(oAuth, upcomingSession);
	const ofList = [
		bulk,
		eventPlatform('Sync', token, {
			resource: 'registration',
			operation: 'sync',
			sessionId: chosenSession(
				otherSession,
				8,
				'05:00 New York · Americas · Product Tour: Autumn Release',
			),
			fields: asInList,
			options: { dryRun: true, removeOthers: true },
		}),
	];
	const attendees = eventPlatform('Attendees', oAuth, {
		resource: 'session',
		operation: 'getPeople',
		sessionId: byId(heldSession),
	});
	const ofStart = [
		attendees,
		eventPlatform('Other form', oAuth, { resource: 'registration', operation: 'register' }),
		httpRequest('With the token', '/v1/me', token),
		httpRequest('With OAuth2', '/v1/events', oAuth),
	];
	const polling = { ...eventPlatformPollingTrigger(oAuth, {}), name: 'Registered' };
	const workflow = workflowOf('Second hour', manual, list, ...ofList, ...ofStart, polling);
	workflow.connections = {
		[manual.name]: leadTo([list, ...ofStart]),
		[list.name]: leadTo(ofList),
	};
	for (const [index, placed] of workflow.nodes.entries()) {
		placed.position = [(index % 5) * 240, Math.floor(index / 5) * 200];
	}
	const charles = { first_name: 'Charles', last_name: 'Babbage', company: 'Engines' };
	const grace = { first_name: 'Grace', last_name: 'Hopper', company: 'Navy' };
	await sandbox.register('grace@example.com', grace, otherSession);
	await sandbox.register('charles@example.com', charles, otherSession);
	await editor.show(workflow);
});

beforeEach(() => canvas.closeAll());

describe('in the second hour', () => {
	test('a list with the headers of the world is mapped by itself, and a row is no higher than its IDs', async () => {
		await run('Register in bulk');
		await canvas.says(/^3 registered, \d+ requests/);
		expect(await firstCells(3)).toEqual([
			['ada@example.com', 'registered', 'null'],
			['grace@example.com', 'registered', 'null'],
			['linus@example.com', 'registered', 'null'],
		]);
		// n8n breaks an ID at its hyphens, into four lines; the nested record took twenty.
		for (const row of await canvas.rows.all()) {
			expect((await row.boundingBox())?.height).toBeLessThan(90);
		}
	});

	test('a dry run of Sync lists removals first, with the changes in view, and the run says what it did', async () => {
		await canvas.openNode('Sync');
		// The editor stores the columns of the mapper, after which what was run is marked as out of date.
		await canvas.executeStep();
		await canvas.says(/^Dry run: 2 would be added, 1 would be updated, 1 would be removed\./);
		// A dry run can be repeated.
		await canvas.executeStep();
		await canvas.part('node-run-info-stale').waitFor({ state: 'hidden' });
		await canvas.widenOutput();
		const answers = 'company: Navy → Harvard';
		expect(await firstCells(3)).toEqual([
			['charles@example.com', 'would_remove', 'null'],
			['ada@example.com', 'would_add', 'null'],
			['grace@example.com', 'would_update', answers],
			['linus@example.com', 'would_add', 'null'],
		]);
		await canvas.says(answers);
		await pictureOf('sync-dry-run');

		await canvas.parameter('dryRun').locator('.el-switch').click();
		await canvas.executeStep();
		await canvas.says(/^2 added, 1 updated, 1 removed, \d+ requests/);
		expect(await firstCells(3)).toEqual([
			['ada@example.com', 'added', 'null'],
			['grace@example.com', 'updated', answers],
			['linus@example.com', 'added', 'null'],
			['charles@example.com', 'removed', 'null'],
		]);
		await canvas.closeNode();
		expect(await registered(sandbox, otherSession)).toEqual(
			['ada', 'grace', 'linus'].map((name) => `${name}@example.com`),
		);
	});

	test('the people of a session are a sheet: a column for each answer, and no object in a cell', async () => {
		await run('Attendees');
		await canvas.says('5 items');
		for (const heading of ['email', 'first_name', 'attended', 'attendance_minutes']) {
			await canvas.output.locator('th').getByText(heading, { exact: true }).waitFor();
		}
		// n8n draws an object in a cell as a tree.
		expect(await canvas.rows.locator('td .vjs-tree, td ul, td li').count()).toBe(0);
		expect((await canvas.rows.allInnerTexts()).join()).not.toContain('[');
	});

	test('the list of sessions shows first what differs, and a session of another event asks its own questions', async () => {
		await canvas.openNode('Other form');
		const sessions = await canvas.listOf('sessionId');
		const names = (await sessions.allInnerTexts()).map((name) => name.slice(0, 30));
		expect(new Set(names).size).toBe(names.length);
		await sessions.filter({ hasText: 'Product Tour' }).first().click();
		const questions = canvas.part('mapping-fields-container');
		await questions.getByText('Interests', { exact: false }).waitFor();
		await canvas.parameter('interests').locator('input').fill('Product');

		await (await canvas.listOf('sessionId')).filter({ hasText: 'Onboarding' }).last().click();
		await questions.getByText('Interests').waitFor({ state: 'detached' });
		await questions.getByText('Company (required)', { exact: true }).waitFor();
	});

	test('what a trigger tells fits into a few columns with the title of the event, and is all of the record without Simplify', async () => {
		await canvas.openNode('Registered');
		const fetchEvent = () =>
			canvas.details.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		const headings = canvas.output.locator('th');
		await fetchEvent();
		await headings.getByText('attendance_minutes', { exact: true }).waitFor();
		await headings.getByText('event_title', { exact: true }).waitFor();
		const few = await headings.count();
		await canvas.parameter('simplify').locator('.el-switch').click();
		await fetchEvent();
		await headings.nth(few).waitFor();
	});

	test.each(['With the token', 'With OAuth2'])(
		'n8n’s HTTP Request node asks the platform "%s" of a credential',
		async (name) => {
			await run(name);
			await canvas.says('1 item');
			await canvas.output.locator('th').getByText('data', { exact: true }).waitFor();
			if (name === 'With the token') await pictureOf('http-request');
		},
	);

	test('it is one thing in the panel, and does not claim to start workflows', async () => {
		await canvas.search('event platform');
		const entry = canvas.panelItem('Event Platform').first();
		await entry.waitFor();
		expect(await entry.innerText()).not.toContain('start workflows');
	});

	test('the browser reports no error', () => {
		expect(browser.errors).toEqual([]);
	});
});

const withRealHeaders = `return [
	['ada@example.com', 'Ada', 'Lovelace', 'Engines'],
	['grace@example.com', 'Grace', 'Hopper', 'Harvard'],
	['linus@example.com', 'Linus', 'Pauling', 'Caltech'],
].map(([email, first, last, company]) => ({ json: {
	'E-mail': email, 'First name': first, Surname: last, Company: company,
} }));`;

function leadTo(nodes: readonly WorkflowNode[]) {
	return { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] };
}

function httpRequest(name: string, path: string, { id, name: saved, type }: Named): WorkflowNode {
	const parameters = {
		url: `${sandbox.baseUrl}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: type,
	};
	return {
		...node(name, 'n8n-nodes-base.httpRequest', parameters, 4.2),
		credentials: { [type]: { id, name: saved } },
	};
}

type Named = Record<'id' | 'name' | 'type', string>;

async function run(name: string) {
	await canvas.openNode(name);
	await canvas.executeStep();
}

/** The first cells of each row. The editor draws a table that it has shown anew, and is without rows meanwhile. */
async function firstCells(count: number): Promise<string[][]> {
	const rows = await until('rows', async () => {
		const drawn = await canvas.rows.all();
		return drawn.length > 0 && drawn;
	});
	return Promise.all(
		rows.map(async (row) => (await row.locator('td').allInnerTexts()).slice(0, count)),
	);
}

async function pictureOf(name: string) {
	const panels = [canvas.part('tab-params'), canvas.part('node-parameters'), canvas.output];
	await canvas.picture(name, ...panels);
}
