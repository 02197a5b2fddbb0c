import type { WorkflowNode } from '../../host/editor';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import { upcomingSession } from '../support/platform/seededIds';
import { bulkRegister, manual, node, nodeType, workflowOf } from '../support/n8n/workflows';
import { makeSession } from '../support/platform/platformRecords';
import { byId } from '../support/n8n/locators';

/** Answers that were mapped by hand, in a session whose form does not ask for all of them. */

let editor: ConnectedEditor;
let canvas: Canvas;
/** Its form asks for the email and the names. */
let otherSession = '';

const value = {
	email: '={{ $json.email }}',
	first_name: '={{ $json.first_name }}',
	last_name: '={{ $json.last_name }}',
	team_size: '={{ $("List").item.json.team }}',
	interests: 'Product',
};

beforeAll(async () => {
	editor = await openConnectedEditor();
	({ canvas } = editor);
	otherSession = await makeSession(editor.sandbox);
	const schema = await columnsOf(upcomingSession);
	const fields = { mappingMode: 'defineBelow', value, schema, matchingColumns: [] };
	const bulk = (name: string, sessionId: object): WorkflowNode => {
		return { ...bulkRegister(editor.credentials.token, '', { sessionId, fields }), name };
	};
	const fromList = {
		__rl: true,
		mode: 'list',
		value: upcomingSession,
		cachedResultName: 'A session',
		cachedResultUrl: 'https://example.com/p/one-event',
	};
	const person = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
	const item = { ...person, team: '1-10', session: otherSession };
	const jsCode = `return [{ json: ${JSON.stringify(item)} }];`;
	const list = node('List', 'n8n-nodes-base.code', { jsCode }, 2);
	const nodes = [
		bulk('By ID', byId(otherSession)),
		bulk('By expression', byId('={{ $json.session }}')),
		bulk('From list', fromList),
	];
	const workflow = workflowOf('Mapped answers', manual, list, ...nodes);
	const next = nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }));
	workflow.connections = {
		[manual.name]: { main: [[{ node: 'List', type: 'main', index: 0 }]] },
		List: { main: [next] },
	};
	await editor.show(workflow);
});

beforeEach(() => canvas.closeAll());

test('answers stay in the panel where an expression gives the session and has no value yet', async () => {
	await canvas.openNode('By expression');
	await waitForColumn('Job title');
	await waitForColumn('Team size');
	await canvas.closeNode();
	await canvas.openNode('By expression');
	await questions().getByText('{{ $("List").item.json.team }}').waitFor();
});

test('answers that the form of the session does not ask for stay there too, marked, and are sent', async () => {
	await canvas.openNode('By ID');
	await waitForColumn('Team Size (not on this form)');
	await waitForColumn('Interests (Product, Pricing, Integrations) (not on this form)');
	await canvas.executeStep();
	await canvas.says(/^1 registered/);
	const bodies = (await editor.sandbox.requests()).map(({ body }) => JSON.stringify(body ?? null));
	const sent = bodies.find((body) => body.includes('ada@example.com'));
	expect(sent).toContain('{"id":"team_size","value":"1-10"}');
	expect(sent).toContain('{"id":"interests","value":["Product"]}');
});

test('n8n itself empties the columns when the session is given in another way', async () => {
	await canvas.openNode('From list');
	await questions().getByText('{{ $json.email }}').waitFor();
	const session = canvas.part('resource-locator-sessionId');
	await session.locator('[data-test-id="rlc-mode-selector"]').click();
	await canvas.part('mode-id').last().click();
	await questions().getByText('{{ $json.email }}').waitFor({ state: 'detached' });
	await waitForColumn('Team Size');
});

function questions() {
	return canvas.part('mapping-fields-container');
}

async function waitForColumn(label: string) {
	await questions().getByText(label, { exact: true }).first().waitFor();
}

/** Gets the columns of a session as the editor loads them. */
async function columnsOf(session: string): Promise<object[]> {
	const { type, id, name } = editor.credentials.token;
	const { fields } = await editor.tested.editor.post<{ fields: object[] }>(
		'/rest/dynamic-node-parameters/resource-mapper-fields',
		{
			path: 'parameters.fields',
			methodName: 'registrationForm',
			nodeTypeAndVersion: { name: nodeType, version: 1 },
			currentNodeParameters: { authentication: 'apiToken', sessionId: byId(session) },
			credentials: { [type]: { id, name } },
		},
	);
	return fields;
}
