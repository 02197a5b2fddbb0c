import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { authentication, credentials } from '../../nodes/EventPlatform/authentication';

/** A node that does what the test says, for what is about the transport and not about an operation. */
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
			return [await execute(this)];
		},
	};
}
