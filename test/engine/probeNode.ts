import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { authentication, credentials } from '../../nodes/EventPlatform/n8n/authentication';
import { toNodeError } from '../../nodes/EventPlatform/n8n/nodeError';

/** A node with the code of a test, for tests of requests and errors that need none of our operations. */
export function probe(
	execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>,
): INodeType {
	return {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Does what a test says',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			credentials,
			properties: [authentication],
		},
		async execute() {
			const records = await execute(this).catch((error: unknown) => {
				throw toNodeError(this.getNode(), error);
			});
			return [records];
		},
	};
}
