import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, tokenCredential } from '../../support/engine';
import type { TestSandbox } from '../../support/sandbox';
import { byId } from './operationCase';

const node = new EventPlatform();

/** Registers people for one session through the node, and tells what was sent. */
export class Registering {
	constructor(
		readonly sandbox: TestSandbox,
		readonly session: string,
	) {}

	/** By values, or by whole items where there are none. */
	async register(
		values: Record<string, string> | null,
		more: INodeParameters = {},
		schema: object[] = [],
		people: IDataObject[] = [{}],
		settings?: Partial<INode>,
	) {
		const before = (await this.sandbox.requests()).length;
		const parameters = this.parameters(values, more, schema);
		const { items, error, hints } = await this.run({ parameters, items: people, settings });
		const requests = (await this.sandbox.requests()).slice(before);
		return {
			items: items.map(({ json }) => json),
			error,
			hints: hints.map(({ message }) => message),
			requests: requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
		};
	}

	parameters(
		values: Record<string, string> | null,
		more: INodeParameters = {},
		schema: object[] = [],
	): INodeParameters {
		return {
			resource: 'registration',
			operation: 'register',
			sessionId: byId(this.session),
			fields: {
				mappingMode: values ? 'defineBelow' : 'autoMapInputData',
				value: values,
				schema,
			} as unknown as INodeParameters,
			...more,
		};
	}

	run(scene: {
		parameters: INodeParameters;
		items?: IDataObject[];
		settings?: Partial<INode>;
		credential?: ReturnType<typeof tokenCredential>;
	}) {
		return runWorkflow({ node, credential: tokenCredential(this.sandbox), ...scene });
	}
}
