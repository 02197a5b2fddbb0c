import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../examples');
const page = readFileSync(join(folder, 'README.md'), 'utf8');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

interface Node {
	type: string;
	parameters: { content?: string; operation?: string; columns?: { matchingColumns: string[] } };
	credentials?: unknown;
}

test.each(examples)(
	'%s says Publish where it starts by itself or is called, and brings no credential',
	(example) => {
		const nodes = nodesOf(example);
		const [note] = nodes.flatMap(({ parameters: { content } }) => content ?? []);
		const startsByItself = nodes.some(({ type }) =>
			/(?:scheduleTrigger|formTrigger|stripeTrigger|executeWorkflowTrigger|eventPlatform\w*Trigger)$/.test(
				type,
			),
		);
		expect(note?.includes('Publish the workflow')).toBe(startsByItself);
		// n8n does not mark a node that has the name of a missing credential, and does not save the one chosen instead.
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	},
);

test('only the examples of Register people and the two for agents write to Livestorm, as the page says', () => {
	const writing = examples.filter((example) =>
		nodesOf(example).some(
			({ type, parameters: { operation = '' } }) =>
				/\.eventPlatform(?:Tool)?$/.test(type) && !/^get|^download/.test(operation),
		),
	);
	const [, registering = ''] = page.split(/^## /m);
	const registers = [...registering.matchAll(/\]\((.+)\.json\)/g)].map(([, name = '']) => name);
	expect(registers.length).toBeGreaterThan(5);
	const agents = ['agent-with-the-platform', 'mcp-server-with-approval'];
	expect(writing.sort()).toEqual([...registers, ...agents].sort());
});

test('one example alone has Code nodes, which n8n 3 runs only in a container of their own, and says so', () => {
	const withCode = examples.filter((example) =>
		nodesOf(example).some(({ type }) => type === 'n8n-nodes-base.code'),
	);
	expect(withCode).toEqual(['campaign-members-salesforce']);
	const notes = nodesOf('campaign-members-salesforce').flatMap(
		({ parameters: { content } }) => content ?? [],
	);
	expect(notes.join('\n')).toContain('In n8n 3 they run in a container of their own');
});

test('a sheet finds its rows again by the first column, which the note says to name', () => {
	// n8n compares no other column, and stops where the sheet has none of that name.
	const nodes = examples.flatMap((example) => nodesOf(example));
	const sheets = nodes.filter(
		({ type, parameters: { operation } }) =>
			type.endsWith('.googleSheets') && operation === 'appendOrUpdate',
	);
	expect(sheets.length).toBeGreaterThan(1);
	const notes = nodes.map(({ parameters: { content = '' } }) => content).join('\n');
	for (const { parameters } of sheets) {
		expect(parameters.columns?.matchingColumns).toHaveLength(1);
		expect(notes).toContain(`\`${parameters.columns?.matchingColumns[0]}\` into cell A1`);
	}
});

function nodesOf(example: string): Node[] {
	const text = readFileSync(join(folder, `${example}.json`), 'utf8');
	return (JSON.parse(text) as { nodes: Node[] }).nodes;
}
