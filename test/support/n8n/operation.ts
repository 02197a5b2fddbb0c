import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import type { LoggedRequest } from '../../../sandbox/access/requestLog';
import { runWorkflow, type NodeRun, type RunScene } from './engine';
import type { TestSandbox } from '../platform/sandbox';
import { tokenCredential } from './engineConsent';

const node = new EventPlatform();

/** The result of a run of an operation, and the requests that it sent. */
export interface OperationRun extends Omit<NodeRun, 'hints'> {
	/** The JSON of the items. */
	records: IDataObject[];
	/** The messages of the hints. */
	hints: string[];
	requests: LoggedRequest[];
	/** These requests as "METHOD /path?query". */
	sent: string[];
}

/** Runs "resource.operation" on the sandbox. */
export async function operate(
	sandbox: TestSandbox,
	name: string,
	parameters: object = {},
	scene: Partial<RunScene> = {},
): Promise<OperationRun> {
	const [resource, operation] = name.split('.');
	const before = (await sandbox.requests()).length;
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential(sandbox),
		parameters: { resource, operation, ...parameters },
		...scene,
	});
	const requests = (await sandbox.requests()).slice(before);
	return {
		...outcome,
		records: outcome.items.map(({ json }) => json),
		hints: outcome.hints.map(({ message }) => message),
		requests,
		sent: requests.map(describeRequest),
	};
}

/** "METHOD /path?query" below /v1. */
export function describeRequest({ method, path, query }: LoggedRequest): string {
	const parts = Object.entries(query)
		.map(([name, value]) => `${name}=${value}`)
		.sort();
	return `${method} ${path.replace(/^\/v1/, '')}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

/** Answers to the form, entered by hand, or taken from whole items where there are none. */
export function mapped(value: object | null, schema: object[] = []) {
	return { mappingMode: value ? 'defineBelow' : 'autoMapInputData', value, schema };
}
