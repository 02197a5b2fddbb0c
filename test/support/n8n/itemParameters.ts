import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { ItemParameters } from '../../../nodes/EventPlatform/fields/itemParameters';
import { NodeParameters } from '../../../nodes/EventPlatform/fields/nodeParameters';

/** The fields, the item and the time zone of a node with one item. */
interface ItemScene {
	/** The fields of the operation. */
	fields?: readonly INodeProperties[];
	/** The item that came in. */
	item?: IDataObject;
	zone?: string;
}

/** The parameters of one item, as n8n gives them when every expression has been evaluated. Of a URL it gives the ID. */
export function itemParameters(
	parameters: object,
	{ fields = [], item = {}, zone = 'UTC' }: ItemScene = {},
): ItemParameters {
	const context = {
		getNode: () => ({ name: 'Event Platform', parameters: parameters as INodeParameters }),
		getTimezone: () => zone,
		getInputData: () => [{ json: item }],
		getNodeParameter(name: string, _: number, fallback: unknown, options?: object) {
			if (options && 'extractValue' in options) return 'extracted';
			return valueAt(parameters, name.split('.'), fallback);
		},
	};
	return new ItemParameters(new NodeParameters(context as unknown as IExecuteFunctions, fields), 0);
}

/** An expression may give undefined, too. n8n gives the fallback only where the node has nothing saved. */
function valueAt(value: unknown, path: readonly string[], fallback: unknown): unknown {
	const [name = '', ...inner] = path;
	if (typeof value !== 'object' || value === null || !(name in value)) return fallback;
	const part = (value as IDataObject)[name];
	return inner.length === 0 ? part : valueAt(part, inner, fallback);
}
