import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, type NodeRun, type Scene } from '../n8n/engine';
import { upcomingSession } from '../platform/seededIds';
import type { TestSandbox } from '../platform/sandbox';
import { tokenCredential } from '../n8n/engineConsent';
import { byId } from '../n8n/locators';

interface BulkScene {
	parameters?: INodeParameters;
	settings?: Partial<INode>;
	scene?: Partial<Scene>;
	cancel?: Promise<unknown>;
}

/** Runs bulk registration in n8n's engine, for the first upcoming session unless told otherwise. */
export function bulkRegister(
	sandbox: Pick<TestSandbox, 'baseUrl' | 'apiToken'>,
	people: readonly IDataObject[],
	{ parameters, settings, scene, cancel }: BulkScene = {},
): Promise<NodeRun> {
	return runWorkflow({
		node: scene?.node ?? new EventPlatform(),
		credential: tokenCredential(sandbox),
		items: people,
		settings,
		cancel,
		parameters: {
			resource: 'registration',
			operation: 'bulkRegister',
			sessionId: byId(upcomingSession),
			fields: {
				mappingMode: 'defineBelow',
				value: { email: '={{ $json.email }}', first_name: '={{ $json.first_name }}' },
			},
			...parameters,
		},
		...scene,
	});
}

/** Runs Registration → Sync, for the first upcoming session unless told otherwise. */
export function sync(
	sandbox: Pick<TestSandbox, 'baseUrl' | 'apiToken'>,
	people: readonly IDataObject[],
	options: INodeParameters = {},
	{ parameters, ...more }: BulkScene = {},
): Promise<NodeRun> {
	const all = { operation: 'sync', options, ...parameters };
	return bulkRegister(sandbox, people, { parameters: all, ...more });
}

/** Requests that change something, as "METHOD operation". */
export async function writes(sandbox: TestSandbox, since = 0): Promise<string[]> {
	const requests = (await sandbox.requests()).slice(since);
	return requests
		.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'))
		.map(({ method, operationId }) => `${method} ${operationId}`);
}

/** The items of so many people, who have an address and a first name. */
export function numberedPeople(count: number, name = 'p') {
	return Array.from({ length: count }, (_, index) => ({
		email: `${name}${index}@example.com`,
		first_name: `${name} ${index}`,
	}));
}

export function emailsOf(people: readonly IDataObject[]): string[] {
	return people.map(({ email }) => email as string).sort();
}

/** How many people have which status. */
export function statusesOf(items: ReadonlyArray<{ json: IDataObject }>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { json } of items) {
		const status = json.status as string;
		counts[status] = (counts[status] ?? 0) + 1;
	}
	return counts;
}
