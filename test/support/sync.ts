import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bulkRegister, type BulkScene } from './bulk';
import type { TestSandbox } from './sandbox';

/** Runs Registration → Sync for the first upcoming session, unless told otherwise. */
export function sync(
	sandbox: Pick<TestSandbox, 'baseUrl' | 'apiToken'>,
	people: readonly IDataObject[],
	options: INodeParameters = {},
	{ parameters, settings, scene }: BulkScene = {},
) {
	return bulkRegister(sandbox, people, {
		parameters: { operation: 'sync', options, ...parameters },
		settings,
		scene,
	});
}

/** Requests that change something, as "METHOD path", ids left out. */
export async function writes(sandbox: TestSandbox, since = 0): Promise<string[]> {
	const requests = (await sandbox.requests()).slice(since);
	return requests
		.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'))
		.map(({ method, operationId }) => `${method} ${operationId}`);
}
