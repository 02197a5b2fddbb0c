import '../../support/n8n/engineHome';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type INodeType,
	type IVersionedNodeType,
	type IWorkflowBase,
} from 'n8n-workflow';
import { additionalDataOf } from '../../support/n8n/engine';
import { credentials } from '../../support/n8n/engineCredentials';
import { nodeType } from '../../support/n8n/workflows';
import { costOf } from '../cost';
import type { TaskInput } from './measure';
import { result, source } from './workflows';
import { tokenCredential } from '../../support/n8n/engineConsent';

/** A program: runs one workflow in n8n's engine and writes down what came out and what it cost. */

type Type = INodeType | IVersionedNodeType;

/** Which nodes are needed is known only when the workflow is; n8n loads them by their path as well. */
const moduleAt = createRequire(__filename);
const base = join(process.env.N8N_HOME_FOLDER ?? '', 'node_modules/n8n-nodes-base');
const nodeFiles = JSON.parse(readFileSync(join(base, 'dist/known/nodes.json'), 'utf8')) as Record<
	string,
	{ sourcePath: string } | undefined
>;
const loaded = new Map<string, Type>();

function typeOf(name: string, version?: number): INodeType {
	const type = loaded.get(name) ?? load(name);
	loaded.set(name, type);
	return 'nodeVersions' in type ? type.getNodeType(version) : type;
}

function load(name: string): Type {
	const path =
		name === nodeType
			? // The node is taken as it is published, because the tool that runs the sources here makes every function cost more.
				join(__dirname, '../../../dist/nodes/EventPlatform/EventPlatform.node.js')
			: join(base, nodeFiles[name.replace('n8n-nodes-base.', '')]?.sourcePath ?? name);
	const [Class] = Object.values(moduleAt(path) as Record<string, new () => Type>);
	if (!Class) throw new Error(`${path} has no node`);
	return new Class();
}

async function main([taskFile = '', resultFile = '']: string[]) {
	const task = JSON.parse(readFileSync(taskFile, 'utf8')) as TaskInput & {
		workflow: IWorkflowBase;
	};
	const { nodes, connections, settings, name } = task.workflow;
	const { type, id } = credentials.add(tokenCredential(task.access));
	const ours = { credentials: { [type]: { id, name: 'Platform' } } };
	const workflow = new Workflow({
		id: 'compare',
		name,
		connections,
		settings,
		active: false,
		nodes: nodes.map((step) => (step.type === nodeType ? { ...step, ...ours } : step)),
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
	});
	const node = workflow.getNode(source);
	if (!node) throw new Error('The workflow has no source');
	const input = task.items.map((json, item) => ({ json, pairedItem: { item } }));
	const execution = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [input] }, source: null }] },
	});
	const additionalData = additionalDataOf(workflow);
	const { result: run, cost } = await costOf(() =>
		new WorkflowExecute(additionalData, 'manual', execution).processRunExecutionData(workflow),
	);
	const { error, runData } = run.data.resultData;
	const output = (runData[result] ?? []).flatMap((stepRun) =>
		(stepRun.data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json)),
	);
	writeFileSync(resultFile, JSON.stringify({ cost, error: error?.message, output }));
	process.exit(0);
}

void main(process.argv.slice(2));
