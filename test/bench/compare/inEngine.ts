import '../../support/engineHome';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INodeType,
	type IVersionedNodeType,
	type IWorkflowBase,
} from 'n8n-workflow';
import { additionalDataOf, tokenCredential } from '../../support/engine';
import { MemoryCredentials } from '../../support/engineCredentials';
import { nodeType } from '../../support/workflows';
import { costOf } from './resources';
import { ScriptNode, scriptNodeType } from './scriptNode';
import { result, source } from './workflows';

/** A process of its own: runs one workflow in n8n's engine and writes down what came out and what it cost. */

interface Task {
	workflow: IWorkflowBase;
	items: IDataObject[];
	access: { baseUrl: string; apiToken: string };
}

/** Which nodes are needed is known only when the workflow is; n8n loads them by their path as well. */
const moduleAt = createRequire(__filename);

const files: Record<string, string> = {
	aggregate: 'Transform/Aggregate/Aggregate',
	httpRequest: 'HttpRequest/HttpRequest',
	if: 'If/If',
	noOp: 'NoOp/NoOp',
	set: 'Set/Set',
	splitInBatches: 'SplitInBatches/SplitInBatches',
	splitOut: 'Transform/SplitOut/SplitOut',
	wait: 'Wait/Wait',
};

const known = new Map<string, INodeType | IVersionedNodeType>([
	// As it is published: what runs the sources here makes every function cost more.
	[
		nodeType,
		instanceAt(join(__dirname, '../../../dist/nodes/EventPlatform/EventPlatform.node.js')),
	],
	[scriptNodeType, new ScriptNode()],
]);

function typeOf(name: string, version?: number): INodeType {
	const loaded = known.get(name) ?? load(name);
	known.set(name, loaded);
	return 'nodeVersions' in loaded ? loaded.getNodeType(version) : loaded;
}

function load(name: string): INodeType | IVersionedNodeType {
	const file = files[name.replace('n8n-nodes-base.', '')];
	if (!file) throw new Error(`The comparison knows no node ${name}`);
	return instanceAt(
		join(
			process.env.N8N_HOME_FOLDER ?? '',
			`node_modules/n8n-nodes-base/dist/nodes/${file}.node.js`,
		),
	);
}

function instanceAt(path: string): INodeType | IVersionedNodeType {
	const [Class] = Object.values(moduleAt(path) as Record<string, new () => INodeType>);
	if (!Class) throw new Error(`${path} has no node`);
	return new Class();
}

async function main([taskFile = '', resultFile = '']: string[]) {
	const { workflow: saved, items, access } = JSON.parse(readFileSync(taskFile, 'utf8')) as Task;
	const credentials = new MemoryCredentials();
	const { type, data } = tokenCredential(access);
	const id = credentials.add({ type, data }).id;
	const workflow = new Workflow({
		id: 'compare',
		name: saved.name,
		nodes: saved.nodes.map((one) =>
			[nodeType, scriptNodeType].includes(one.type)
				? { ...one, credentials: { [type]: { id, name: 'Platform' } } }
				: one,
		),
		connections: saved.connections,
		active: false,
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		settings: saved.settings,
	});
	const start = workflow.getNode(source);
	if (!start) throw new Error('The workflow has no source');
	const input = items.map((json, item) => ({ json, pairedItem: { item } }));
	const runData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: start, data: { main: [input] }, source: null }],
		},
	});
	const { result: run, cost } = await costOf(() =>
		new WorkflowExecute(
			additionalDataOf(workflow, credentials),
			'manual',
			runData,
		).processRunExecutionData(workflow),
	);
	const { error, runData: done } = run.data.resultData;
	const output = (done[result] ?? []).flatMap((one) =>
		(one.data?.main ?? []).flatMap((all) => all ?? []),
	);
	writeFileSync(
		resultFile,
		JSON.stringify({ cost, error: error?.message, output: output.map(({ json }) => json) }),
	);
	process.exit(0);
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
