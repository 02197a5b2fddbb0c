import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { operate } from '../support/n8n/operation';
import { sandboxOfFile } from '../support/platform/sandbox';
import { registered } from '../support/platform/registrants';

/* docs/try-it.md: what a person pastes who has an n8n, a file of nodes and a file of the sandbox. */

interface PastedNode {
	name: string;
	type: string;
	parameters: INodeParameters & {
		resource: string;
		operation: string;
		jsonOutput: string;
		fieldToSplitOut: string;
	};
}

const page = readFileSync(join(__dirname, '../../docs/try-it.md'), 'utf8');
const [, workflow = ''] = /```json\n([\s\S]+?)\n```/.exec(page) ?? [];
const { nodes, connections } = JSON.parse(workflow) as {
	nodes: PastedNode[];
	connections: Record<string, { main: Array<Array<{ node: string }>> }>;
};

const sandbox = sandboxOfFile();

test('the workflow of the page registers its people in a new sandbox, and refuses the one without an address', async () => {
	const [, list, split, register] = nodes;
	if (!list || !split || !register) throw new Error('The page has four nodes.');
	const made = JSON.parse(list.parameters.jsonOutput) as Record<string, IDataObject[]>;
	const items = made[split.parameters.fieldToSplitOut];
	const { resource, operation, ...parameters } = register.parameters;
	const run = await operate(sandbox, `${resource}.${operation}`, parameters, { items });
	expect(run.items.map(({ json }) => json.status ?? 'error').sort()).toEqual([
		'invalid',
		'registered',
		'registered',
	]);
	expect(await registered(sandbox)).toHaveLength(2);
});

test('it needs no Code node, which n8n 3 runs only with a container of its own', () => {
	expect(nodes.map(({ type }) => type)).not.toContain('n8n-nodes-base.code');
});

test('its nodes are connected in their order, and the other two values are those of the sandbox', () => {
	const names = nodes.map(({ name }) => name);
	const next = names.map((name) => connections[name]?.main[0]?.[0]?.node);
	expect(next).toEqual([...names.slice(1), undefined]);
	expect(page).toContain(`\`${sandbox.apiToken}\``);
	expect(page).toContain('`http://127.0.0.1:4010`');
});
