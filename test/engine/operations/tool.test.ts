import { SupplyDataContext } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { resources } from '../../../nodes/EventPlatform/resources';
import { Engine, tokenCredential } from '../../support/engine';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { makeSession } from './making';
import { byId } from './operationCase';

const node = new EventPlatform();
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => [`${value}.${operation.value}`, value, operation] as const),
);

test.each(operations)(
	'%s tells an agent in one short sentence what it does',
	(_, resource, { value, action }) => {
		const { description } = tool({ resource, operation: value });
		expect(description).toBe(`${action} in Event Platform`);
		expect(description.length).toBeLessThan(100);
	},
);

test('what the agent fills in is what the node asks it for', () => {
	const { schema } = tool({
		resource: 'event',
		operation: 'getAll',
		limit: "={{ $fromAI('limit', 'How many events', 'number') }}",
		filters: { title: "={{ $fromAI('title', 'Words in the title') }}" },
	});
	expect(Object.keys((schema as unknown as { shape: object }).shape)).toEqual(['limit', 'title']);
});

test('an agent registers a person and gets the person back', async () => {
	const sessionId = await makeSession(sandbox);
	const [items] = await invoke(
		{
			resource: 'registration',
			operation: 'register',
			sessionId: byId(sessionId),
			fields: {
				mappingMode: 'defineBelow',
				value: {
					email: "={{ $fromAI('email') }}",
					first_name: "={{ $fromAI('first_name') }}",
					last_name: 'Lovelace',
				},
				schema: [],
			},
		},
		{ email: 'ada@example.com', first_name: 'Ada' },
	);
	expect(items?.map(({ json }) => json)).toMatchObject([
		{ status: 'registered', email: 'ada@example.com', first_name: 'Ada' },
	]);
});

function engine(parameters: INodeParameters): Engine {
	return new Engine({ node, credential: tokenCredential(sandbox), parameters });
}

function tool(parameters: INodeParameters) {
	const { node: placed } = engine(parameters);
	return createNodeAsTool({
		node: placed,
		nodeType: node,
		handleToolInvocation: () => Promise.resolve(),
	}).response;
}

/** As n8n does when an agent calls: the arguments are the item. */
async function invoke(parameters: INodeParameters, args: IDataObject) {
	const { workflow, node: placed, editorContext } = boundEngine(parameters);
	const items = [{ json: args }];
	const context = new SupplyDataContext(
		workflow,
		placed,
		editorContext().additionalData,
		'manual',
		createRunExecutionData({}),
		0,
		items,
		{ [NodeConnectionTypes.AiTool]: [items] },
		NodeConnectionTypes.AiTool,
		{ node: placed, data: { main: [items] }, source: null },
		[],
	);
	return await node.execute.call(context as unknown as IExecuteFunctions);
}

function boundEngine(parameters: INodeParameters) {
	const made = engine(parameters);
	return {
		workflow: made.workflow,
		node: made.node,
		editorContext: () => made.editorContext(),
	};
}
