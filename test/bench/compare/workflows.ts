import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../../../host/editor';
import { node, nodeType } from '../../support/workflows';
import { scriptNodeType } from './scriptNode';

/** What people build to get the same done, node by node, as it stands in n8n's documentation and forum. */

export interface Platform {
	baseUrl: string;
	apiToken: string;
	sessionId: string;
}

/** The node whose items come from outside: people, or one empty item. */
export const source = 'People';
/** The node whose output is the result. */
export const result = 'Result';

const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

export function listWithThisNode() {
	return inARow('List, this node', [
		platform({ resource: 'person', operation: 'getAll', returnAll: true }),
	]);
}

export function listWithHttpRequest({ baseUrl, apiToken }: Platform) {
	return inARow('List, HTTP Request', [
		http('List', apiToken, {
			url: `${baseUrl}/v1/people`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'page[size]', value: '50' }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page[number]', value: '={{ $pageCount }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $response.body.meta.next_page === null }}',
					},
				},
			},
		}),
		node(result, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'data', options: {} }),
	]);
}

export function bulkWithThisNode({ sessionId }: Platform) {
	const value = { email: '={{ $json.email }}' };
	return bulk('Register, this node', sessionId, { mappingMode: 'defineBelow', value });
}

/** Without an expression for n8n to evaluate for each person. */
export function bulkMappedAutomatically({ sessionId }: Platform) {
	const fields = { mappingMode: 'autoMapInputData', value: null };
	return bulk('Register, this node, mapped automatically', sessionId, fields);
}

function bulk(name: string, sessionId: string, fields: Record<string, unknown>) {
	return inARow(name, [
		platform({
			...{ resource: 'registration', operation: 'bulkRegister', fields },
			sessionId: { __rl: true, mode: 'id', value: sessionId },
		}),
	]);
}

/** The script in the place of this node. */
export function scriptInN8n(script: 'list' | 'register', pollSeconds: number) {
	return ({ baseUrl, sessionId }: Platform) =>
		inARow(`Script, ${script}`, [
			node(result, scriptNodeType, {
				...{ script, pollSeconds, baseUrl, sessionId },
				email: '={{ $json.email }}',
			}),
		]);
}

/** One person after the other, 200 ms apart; who cannot be registered leaves by the error output. */
export function oneByOne({ baseUrl, apiToken, sessionId }: Platform): Workflow {
	const said = (name: string, status: string, email: string) =>
		node(
			name,
			'n8n-nodes-base.set',
			{
				assignments: {
					assignments: [
						{ id: 'email', name: 'email', type: 'string', value: email },
						{ id: 'status', name: 'status', type: 'string', value: status },
					],
				},
				options: {},
			},
			3.4,
		);
	const register = {
		...http('Register', apiToken, {
			method: 'POST',
			url: `${baseUrl}/v1/sessions/${sessionId}/people`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				"={{ JSON.stringify({ data: { type: 'people', attributes: { fields: [{ id: 'email', value: $json.email }] } } }) }}",
			options: {},
		}),
		...retry,
		onError: 'continueErrorOutput',
	};
	const ofLoop = "={{ $('Loop Over People').item.json.email }}";
	return connected(
		'Register one by one',
		[
			loop('Loop Over People', 1),
			register,
			said('Registered', 'registered', ofLoop),
			said('Not Registered', 'failed', ofLoop),
			wait(0.2),
			node(result, 'n8n-nodes-base.noOp'),
		],
		{
			[source]: [['Loop Over People']],
			'Loop Over People': [[result], ['Register']],
			Register: [['Registered'], ['Not Registered']],
			Registered: [['Wait']],
			'Not Registered': [['Wait']],
			Wait: [['Loop Over People']],
		},
	);
}

/** Fifty at a time: post the job, wait until it is over, read its results. */
export function bulkByHand({ baseUrl, apiToken, sessionId }: Platform): Workflow {
	const job = "{{ $('Start Job').item.json.id }}";
	const start = {
		...http(
			'Start Job',
			apiToken,
			{
				method: 'POST',
				url: `${baseUrl}/v1/sessions/${sessionId}/people/bulk`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody:
					"={{ JSON.stringify({ data: { type: 'jobs', attributes: { tasks: $json.data.map(({ email }) => ({ fields: [{ id: 'email', value: email }] })) } } }) }}",
				options: {
					response: {
						response: { fullResponse: false, neverError: false, responseFormat: 'json' },
					},
				},
			},
			'application/vnd.api+json',
		),
		...retry,
	};
	const state = {
		...http('Read Job', apiToken, { url: `=${baseUrl}/v1/jobs/${job}`, options: {} }),
		...retry,
	};
	const tasks = {
		...http('Read Results', apiToken, {
			url: `=${baseUrl}/v1/jobs/${job}/tasks?page[size]=50`,
			options: {},
		}),
		...retry,
	};
	const isOver = node(
		'Is It Over?',
		'n8n-nodes-base.if',
		{
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				combinator: 'and',
				conditions: [
					{
						id: 'over',
						leftValue: '={{ $json.attributes.status }}',
						rightValue: 'processing',
						operator: { type: 'string', operation: 'notEquals' },
					},
				],
			},
			options: {},
		},
		2.2,
	);
	return connected(
		'Register in bulk by hand',
		[
			loop('Loop Over People', 50),
			node('Fifty Together', 'n8n-nodes-base.aggregate', {
				aggregate: 'aggregateAllItemData',
				destinationFieldName: 'data',
				include: 'allFields',
				options: {},
			}),
			start,
			wait(1),
			state,
			isOver,
			tasks,
			node('Each Result', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'data', options: {} }),
			node(result, 'n8n-nodes-base.noOp'),
		],
		{
			[source]: [['Loop Over People']],
			'Loop Over People': [[result], ['Fifty Together']],
			'Fifty Together': [['Start Job']],
			'Start Job': [['Wait']],
			Wait: [['Read Job']],
			'Read Job': [['Is It Over?']],
			'Is It Over?': [['Read Results'], ['Wait']],
			'Read Results': [['Each Result']],
			'Each Result': [['Loop Over People']],
		},
	);
}

function platform(parameters: Record<string, unknown>): WorkflowNode {
	return { ...node(result, nodeType, { authentication: 'apiToken', ...parameters }) };
}

function http(
	name: string,
	apiToken: string,
	parameters: Record<string, unknown>,
	contentType = 'application/json',
): WorkflowNode {
	return node(
		name,
		'n8n-nodes-base.httpRequest',
		{
			sendHeaders: true,
			headerParameters: {
				parameters: [
					{ name: 'Authorization', value: apiToken },
					{ name: 'Content-Type', value: contentType },
				],
			},
			...parameters,
		},
		4.2,
	);
}

function loop(name: string, batchSize: number): WorkflowNode {
	return node(name, 'n8n-nodes-base.splitInBatches', { batchSize, options: {} }, 3);
}

function wait(amount: number): WorkflowNode {
	return {
		...node('Wait', 'n8n-nodes-base.wait', { amount, unit: 'seconds' }, 1.1),
		webhookId: randomUUID(),
	};
}

/** Nodes in a row behind the source; `result` is the last. */
function inARow(name: string, nodes: WorkflowNode[]): Workflow {
	const names = [source, ...nodes.map((one) => one.name)];
	const connections = Object.fromEntries(
		names.slice(0, -1).map((from, index) => [from, [[names[index + 1] ?? '']]]),
	);
	return connected(name, nodes, connections);
}

/** `connections`: for each node, for each of its outputs, the nodes behind it. The source is added. */
function connected(
	name: string,
	nodes: WorkflowNode[],
	connections: Record<string, string[][]>,
): Workflow {
	return {
		name,
		nodes: [node(source, 'n8n-nodes-base.noOp'), ...nodes].map((one, index) => ({
			...one,
			id: randomUUID(),
			position: [index * 220, 0],
		})),
		connections: Object.fromEntries(
			Object.entries(connections).map(([from, outputs]) => [
				from,
				{ main: outputs.map((to) => to.map((one) => ({ node: one, type: 'main', index: 0 }))) },
			]),
		),
		settings: { executionOrder: 'v1' },
	};
}
