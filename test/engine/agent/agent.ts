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

/**
 * Calls the node as a tool, made and called by n8n's own code: what the model is told when it is right, and what when it
 * is wrong.
 */
export async function call(
	sandbox: TestSandbox,
	parameters: INodeParameters,
	args: IDataObject,
): Promise<{ answer?: string; refusal?: string }> {
	const nodeType = new EventPlatform();
	const engine = new Engine({
		node: nodeType,
		credential: tokenCredential(sandbox),
		parameters,
	});
	const { workflow, node } = engine;
	const { additionalData } = engine.editorContext();
	const data = createRunExecutionData({});
	const context = (runIndex: number) =>
		new SupplyDataContext(
			...([workflow, node, additionalData, 'manual', data, runIndex] as const),
			[],
			{},
			NodeConnectionTypes.AiTool,
			{ node, data: {}, source: null },
			[],
		);
	const handleToolInvocation = makeHandleToolInvocation(context, node, nodeType, data);
	const { response } = createNodeAsTool({ node, nodeType, handleToolInvocation });
	try {
		return { answer: String(await response.invoke(args)) };
	} catch (error) {
		return { refusal: (error as Error).message };
	}
}
