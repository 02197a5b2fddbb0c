import Ajv2020, { type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { type Check, compiledWhenNeeded } from './check';
import { ownFile } from './ownFiles';

type Node = Record<string, unknown>;
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface Parameter {
	name: string;
	in: 'path' | 'query';
	/** Comma-joined in the query. */
	list: boolean;
	/** Whether the specification names it. */
	isSpecified: boolean;
}

/** One operation of the contract. */
export interface Operation {
	id: string;
	method: Uppercase<(typeof methods)[number]>;
	/** The path as the contract writes it, such as `/v1/events/{id}`. */
	path: string;
	/** Whether the specification names the method and the path. */
	isSpecified: boolean;
	/** The operation as the document has it, for the other things that it says (security, scopes). */
	document: Node;
	parameters: Parameter[];
	/** Turns the texts of the path and of the query into the types of the contract, or has errors. */
	checkParameters: Check;
	bodyRequired: boolean;
	checkBody?: Check;
	/** The checks by status or `default`; undefined where the answer has no body. */
	checkAnswer: Map<string, Check | undefined>;
}

const uri = 'https://contract.invalid/openapi';

// Read whenever a sandbox starts, so by the parser that is quick; yaml is for the tool that edits the file.
const document = load(ownFile('contract/openapi.yaml').toString()) as Node;
const bodies = checker({});

/** The content that a delivery of one kind carries. */
interface DeliveryForm {
	mediaType: string;
	check: Check;
}

/** Reads the forms of the deliveries by kind, such as `job.ended`. */
export function readDeliveries(): Map<string, DeliveryForm> {
	const kinds = Object.keys(document['webhooks'] as Node);
	return new Map(
		kinds.map((kind) => {
			const { node, pointer } = follow(['webhooks', kind, 'post', 'requestBody']);
			const mediaType = Object.keys(node['content'] as Node)[0] ?? '';
			const schema = reference([...pointer, 'content', mediaType, 'schema']);
			return [kind, { mediaType, check: compiledWhenNeeded(bodies, schema) }];
		}),
	);
}

export function readContract(): Operation[] {
	const texts = checker({ coerceTypes: true });

	const operation = (path: string, method: (typeof methods)[number]): Operation => {
		const here = ['paths', path, method];
		const { node } = follow(here);
		const parameters = [...each(['paths', path, 'parameters'])]
			.concat(each([...here, 'parameters']))
			.filter((parameter) => parameter.node['in'] === 'path' || parameter.node['in'] === 'query');
		const body = node['requestBody'] ? follow([...here, 'requestBody']) : undefined;
		return {
			id: String(node['operationId']),
			method: method.toUpperCase() as Operation['method'],
			path,
			isSpecified: node['x-evidence'] === 'specified',
			document: node,
			parameters: parameters.map((parameter) => ({
				name: String(parameter.node['name']),
				in: parameter.node['in'] as Parameter['in'],
				list: follow([...parameter.pointer, 'schema']).node['type'] === 'array',
				isSpecified: parameter.node['x-evidence'] === 'specified',
			})),
			checkParameters: compiledWhenNeeded(texts, {
				type: 'object',
				required: parameters
					.filter((parameter) => parameter.node['required'])
					.map((parameter) => parameter.node['name']),
				properties: Object.fromEntries(
					parameters.map(({ node, pointer }) => [
						String(node['name']),
						reference([...pointer, 'schema']),
					]),
				),
			}),
			bodyRequired: body?.node['required'] === true,
			checkBody: body && content(bodies, body),
			checkAnswer: new Map(
				Object.keys(node['responses'] as Node).map((status) => [
					status,
					content(bodies, follow([...here, 'responses', status])),
				]),
			),
		};
	};

	return Object.entries(document['paths'] as Node).flatMap(([path, methodsOfPath]) =>
		methods
			.filter((method) => method in (methodsOfPath as Node))
			.map((method) => operation(path, method)),
	);
}

interface Found {
	node: Node;
	pointer: string[];
}

function checker(options: Options): Ajv2020 {
	const ajv = new Ajv2020({ strict: false, validateSchema: false, verbose: true, ...options });
	addFormats(ajv);
	return ajv.addSchema({ ...document, $id: uri });
}

/** The node at the pointer, with every `$ref` followed. */
function follow(pointer: string[]): Found {
	const node = pointer.reduce<unknown>((at, step) => (at as Node | undefined)?.[step], document);
	const ref = (node as Node | undefined)?.['$ref'];
	if (typeof ref !== 'string') return { node: (node ?? {}) as Node, pointer };
	const target = ref.slice('#/'.length).split('/');
	return follow(
		target.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')),
	);
}

function each(pointer: string[]): Found[] {
	const { node } = follow(pointer);
	return Object.keys(node).map((index) => follow([...pointer, index]));
}

/** Every media type of an answer has the same schema in this contract, so the first one is read. */
function content(ajv: Ajv2020, { node, pointer }: Found): Check | undefined {
	const media = Object.keys(node['content'] ?? {})[0];
	return media === undefined
		? undefined
		: compiledWhenNeeded(ajv, reference([...pointer, 'content', media, 'schema']));
}

function reference(pointer: string[]): { $ref: string } {
	const steps = pointer.map((step) =>
		encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
	);
	return { $ref: `${uri}#/${steps.join('/')}` };
}

/** The first fault that a check found, as a sentence without its end. */
export function fault({ errors }: Check, start: string): string {
	const error = errors?.[0];
	if (!error) return `${start} is not as the contract says`;
	const { instancePath, keyword, message = 'is wrong', params, parentSchema } = error;
	const place = instancePath.replaceAll('~1', '/').slice(1).replaceAll('/', '.');
	const meaning: unknown = parentSchema?.['description'];
	// A pattern tells people nothing: what the contract says in words does.
	const why =
		keyword === 'pattern' && typeof meaning === 'string'
			? `is wrong. It takes: ${meaning}`
			: message;
	const { allowedValues, additionalProperty } = params as {
		allowedValues?: string[];
		additionalProperty?: string;
	};
	const hint = allowedValues?.join(', ') ?? additionalProperty?.slice(0, 60);
	return `${place ? `${start} ${place}` : start} ${why}${hint ? `: ${hint}` : ''}`;
}
