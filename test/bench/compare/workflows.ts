import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../../../host/editor';
import { node, nodeType, workflowOf } from '../../support/n8n/workflows';
import { byId } from '../../support/n8n/locators';

/** People build these workflows to get the same done, node by node, as n8n's documentation and forum show it. */

export interface Platform {
	baseUrl: string;
	apiToken: string;
	sessionId: string;
}

/** The node whose items come from outside: people, or one empty item. */
export const source = 'People';
/** The node whose output is the result. */
export const result = 'Result';

const start = node(source, 'n8n-nodes-base.noOp');
const end = node(result, 'n8n-nodes-base.noOp');
const loop = 'Loop Over People';
const patient = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

export function listWithThisNode() {
	return thisNode({ resource: 'person', operation: 'getAll', returnAll: true });
}

export function listWithHttpRequest({ baseUrl, apiToken }: Platform) {
	const number = { type: 'qs', name: 'page[number]', value: '={{ $pageCount }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [number] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.meta.next_page === null }}',
	};
	const list = http('List', apiToken, `${baseUrl}/v1/people`, {
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'page[size]', value: '50' }] },
		options: { pagination: { pagination } },
	});
	return workflowOf('List, HTTP Request', start, list, eachOf(result));
}

export function bulkWithThisNode({ sessionId }: Platform) {
	const value = { email: '={{ $json.email }}' };
	return bulk(sessionId, { mappingMode: 'defineBelow', value });
}

/** Builds the workflow without an expression for n8n to evaluate for each person. */
export function bulkMappedAutomatically({ sessionId }: Platform) {
	return bulk(sessionId, { mappingMode: 'autoMapInputData', value: null });
}

function bulk(sessionId: string, fields: object) {
	const operation = { resource: 'registration', operation: 'bulkRegister' };
	return thisNode({ ...operation, fields, sessionId: byId(sessionId) });
}

function thisNode(parameters: object) {
	const only = node(result, nodeType, { authentication: 'apiToken', ...parameters });
	return workflowOf('This node', start, only);
}

/** One person after the other, 200 ms apart; who cannot be registered leaves by the error output. */
export function oneByOne({ baseUrl, apiToken, sessionId }: Platform): Workflow {
	const said = (name: string, status: string) => {
		const email = `={{ $('${loop}').item.json.email }}`;
		const assignments = Object.entries({ email, status }).map(([field, value]) => ({
			id: field,
			name: field,
			type: 'string',
			value,
		}));
		return node(name, 'n8n-nodes-base.set', { assignments: { assignments }, options: {} }, 3.4);
	};
	const register = {
		...post(
			'Register',
			apiToken,
			`${baseUrl}/v1/sessions/${sessionId}/people`,
			"={{ JSON.stringify({ data: { type: 'people', attributes: { fields: [{ id: 'email', value: $json.email }] } } }) }}",
		),
		onError: 'continueErrorOutput',
	};
	const outcomes = [said('Registered', 'registered'), said('Not Registered', 'failed')];
	return looped('Register one by one', 1, [register, ...outcomes, wait(0.2)], {
		Register: [['Registered'], ['Not Registered']],
		Registered: [['Wait']],
		'Not Registered': [['Wait']],
		Wait: [[loop]],
	});
}

/** Fifty at a time: post the job, wait until it is over, read its results. */
export function bulkByHand({ baseUrl, apiToken, sessionId }: Platform): Workflow {
	const job = `=${baseUrl}/v1/jobs/{{ $('Start Job').item.json.id }}`;
	const together = node('Fifty Together', 'n8n-nodes-base.aggregate', {
		aggregate: 'aggregateAllItemData',
		destinationFieldName: 'data',
		include: 'allFields',
		options: {},
	});
	const response = { response: { fullResponse: false, neverError: false, responseFormat: 'json' } };
	const post50 = post(
		'Start Job',
		apiToken,
		`${baseUrl}/v1/sessions/${sessionId}/people/bulk`,
		"={{ JSON.stringify({ data: { type: 'jobs', attributes: { tasks: $json.data.map(({ email }) => ({ fields: [{ id: 'email', value: email }] })) } } }) }}",
		{ options: { response } },
		'application/vnd.api+json',
	);
	const operator = { type: 'string', operation: 'notEquals' };
	const status = { leftValue: '={{ $json.attributes.status }}', rightValue: 'processing' };
	const isOver = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		combinator: 'and',
		conditions: [{ id: 'over', ...status, operator }],
	};
	const nodes = [
		together,
		post50,
		wait(1),
		{ ...http('Read Job', apiToken, job), ...patient },
		node('Is It Over?', 'n8n-nodes-base.if', { conditions: isOver, options: {} }, 2.2),
		{ ...http('Read Results', apiToken, `${job}/tasks?page[size]=50`), ...patient },
		eachOf('Each Result'),
	];
	return looped('Register in bulk by hand', 50, nodes, {
		'Fifty Together': [['Start Job']],
		'Start Job': [['Wait']],
		Wait: [['Read Job']],
		'Read Job': [['Is It Over?']],
		'Is It Over?': [['Read Results'], ['Wait']],
		'Read Results': [['Each Result']],
		'Each Result': [[loop]],
	});
}

/** The items of the answers before it. */
function eachOf(name: string): WorkflowNode {
	return node(name, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'data', options: {} });
}

function http(
	name: string,
	apiToken: string,
	url: string,
	more: object = {},
	contentType = 'application/json',
): WorkflowNode {
	const headers = { Authorization: apiToken, 'Content-Type': contentType };
	const all = Object.entries(headers).map(([header, value]) => ({ name: header, value }));
	const sent = { sendHeaders: true, headerParameters: { parameters: all } };
	return node(name, 'n8n-nodes-base.httpRequest', { url, options: {}, ...sent, ...more }, 4.2);
}

function post(
	name: string,
	apiToken: string,
	url: string,
	jsonBody: string,
	more: object = {},
	contentType?: string,
): WorkflowNode {
	const body = { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody, ...more };
	return { ...http(name, apiToken, url, body, contentType), ...patient };
}

function wait(amount: number): WorkflowNode {
	const parameters = { amount, unit: 'seconds' };
	return { ...node('Wait', 'n8n-nodes-base.wait', parameters, 1.1), webhookId: randomUUID() };
}

/** So many people at a time; what the loop gives in the end is the result. `behind`: for each output of a node, those behind it. */
function looped(
	name: string,
	batchSize: number,
	nodes: WorkflowNode[],
	behind: Record<string, string[][]>,
): Workflow {
	const batches = node(loop, 'n8n-nodes-base.splitInBatches', { batchSize, options: {} }, 3);
	const all = { [source]: [[loop]], [loop]: [[result], [nodes[0]?.name ?? '']], ...behind };
	const connections = Object.entries(all).map(([from, outputs]) => [
		from,
		{ main: outputs.map((to) => to.map((target) => ({ node: target, type: 'main', index: 0 }))) },
	]);
	return {
		...workflowOf(name, start, batches, ...nodes, end),
		connections: Object.fromEntries(connections) as Workflow['connections'],
	};
}
