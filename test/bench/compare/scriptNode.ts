import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { run, type Send, type Task } from './script';

export const scriptNodeType = 'comparison.script';

/** The script as a node: it sends through n8n's helper, reads each email as an expression, and pairs its items. */
export class ScriptNode implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Script',
		name: 'script',
		group: ['transform'],
		version: 1,
		description: 'The script of the comparison',
		defaults: { name: 'Script' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'eventPlatformApi', required: true }],
		properties: [
			...['script', 'sessionId', 'baseUrl', 'email'].map((name) => ({
				displayName: name,
				name,
				type: 'string' as const,
				default: '',
			})),
			{ displayName: 'pollSeconds', name: 'pollSeconds', type: 'number', default: 1 },
		],
	};

	async execute(this: IExecuteFunctions) {
		const read = (name: string, item = 0) => this.getNodeParameter(name, item, '') as unknown;
		const send: Send = async ({ method, path, query, body }) => {
			const contentType = { 'Content-Type': 'application/vnd.api+json' };
			const request: IHttpRequestOptions = {
				method: method ?? 'GET',
				url: `${String(read('baseUrl'))}/v1${path}`,
				qs: query,
				...(body !== undefined && { body, headers: contentType }),
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			};
			const answer = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'eventPlatformApi',
				request,
			)) as { statusCode: number; headers: Record<string, unknown>; body: string };
			return { status: answer.statusCode, headers: answer.headers, body: answer.body };
		};
		const task = {
			script: read('script'),
			sessionId: read('sessionId'),
			pollSeconds: read('pollSeconds'),
		} as Task;
		const isList = task.script === 'list';
		const emails = isList
			? []
			: [...this.getInputData().keys()].map((item) => String(read('email', item)));
		const records = await run(task, emails, send);
		const items = records.map((json, index) => ({
			json: json as IDataObject,
			pairedItem: { item: isList ? 0 : index },
		}));
		return [items];
	}
}
