import { SupplyDataContext } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	type IDataObject,
	type INodeParameters,
} from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine, tokenCredential } from '../../support/engine';
import type { TestSandbox } from '../../support/sandbox';

const node = new EventPlatform();

/** The node as a tool, made and called by n8n's own code; what it answers is what the model reads. */
function toolOf(sandbox: TestSandbox, parameters: INodeParameters) {
	const engine = new Engine({ node, credential: tokenCredential(sandbox), parameters });
	const { workflow, node: placed } = engine;
	const { additionalData } = engine.editorContext();
	const data = createRunExecutionData({});
	const context = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			placed,
			additionalData,
			'manual',
			data,
			runIndex,
			[],
			{},
			NodeConnectionTypes.AiTool,
			{ node: placed, data: {}, source: null },
			[],
		);
	const handleToolInvocation = makeHandleToolInvocation(context, placed, node, data);
	const { response } = createNodeAsTool({ node: placed, nodeType: node, handleToolInvocation });
	return response;
}

/** What the model is told when it is right, and what when it is wrong. */
export async function call(
	sandbox: TestSandbox,
	parameters: INodeParameters,
	args: IDataObject,
): Promise<{ answer?: string; refusal?: string }> {
	try {
		return { answer: String(await toolOf(sandbox, parameters).invoke(args)) };
	} catch (error) {
		return { refusal: (error as Error).message };
	}
}
