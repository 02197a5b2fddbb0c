import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import type { LoggedRequest } from '../../../sandbox/access/requestLog';
import { runWorkflow, type NodeRun, type RunScene } from './engine';
import type { TestSandbox } from '../platform/sandbox';
import { tokenCredential } from './engineConsent';

/** A sandbox, or a platform that keeps no log of its requests. */
export type Platform = Pick<TestSandbox, 'baseUrl' | 'apiToken'> &
	Partial<Pick<TestSandbox, 'requests'>>;

/** The result of a run of an operation, and the requests that it sent. */
export interface OperationRun extends Omit<NodeRun, 'hints'> {
	/** The JSON of the items. */
	records: IDataObject[];
	/** The messages of the hints. */
	hints: string[];
	requests: LoggedRequest[];
	/** These requests as "METHOD /path?query". */
	sent: string[];
	/** Those of them that change something, as "METHOD operation". */
	writes: string[];
}

/** Runs "resource.operation" on this platform. */
export async function operate(
	platform: Platform,
	name: string,
	parameters: object = {},
	scene: Partial<RunScene> = {},
): Promise<OperationRun> {
	const [resource, operation] = name.split('.');
	const logged = async () => (await platform.requests?.()) ?? [];
	const before = (await logged()).length;
	const outcome = await runWorkflow({
		node: scene.node ?? new EventPlatform(),
		credential: tokenCredential(platform),
		parameters: { resource, operation, ...parameters },
		...scene,
	});
	const requests = (await logged()).slice(before);
	return {
		...outcome,
		records: outcome.items.map(({ json }) => json),
		hints: outcome.hints.map(({ message }) => message),
		requests,
		sent: requests.map(describeRequest),
		writes: requests
			.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'))
			.map(({ method, operationId }) => `${method} ${operationId}`),
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
