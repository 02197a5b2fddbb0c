import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { isObject, type Json, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { text } from '../nodes/EventPlatform/core/values/text';

export const contractFile: string = join(__dirname, '..', 'contract', 'openapi.yaml');

export const contract = load(readFileSync(contractFile, 'utf8')) as JsonObject;

/** The origin of the real platform: only a report of it may become evidence. */
export const platformOrigin: string = text(at('servers', '0', 'url'));

/** An operation of the API promises this when all is well. */
export interface Promised {
	id: string;
	method: string;
	path: string;
	section?: string;
	/** Where the operation stands in the contract. */
	pointer: string[];
	status: number;
	mediaTypes: string[];
	/** Name of the schema of the body; undefined: no body. */
	schema?: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation below /v1, in the order of the contract. */
export const operations: Promised[] = Object.entries(at('paths') as JsonObject)
	.filter(([path]) => path.startsWith('/v1/'))
	.flatMap(([path, entries]) =>
		methods
			.filter((method) => isObject(entries) && method in entries)
			.map((method) => promised(path, method)),
	);

function promised(path: string, method: string): Promised {
	const operation = at('paths', path, method) as JsonObject;
	const responses = operation['responses'] as JsonObject;
	const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? '200';
	const content = (resolve(responses[status]) as JsonObject)['content'];
	const mediaTypes = isObject(content) ? Object.keys(content) : [];
	const media = isObject(content) ? (Object.values(content)[0] as JsonObject) : undefined;
	const schema = media && (media['schema'] as JsonObject)['$ref'];
	return {
		id: text(operation['operationId']),
		method: method.toUpperCase(),
		path,
		pointer: ['paths', path, method],
		section: sectionOf(operation),
		status: Number(status),
		mediaTypes,
		...(schema !== undefined && { schema: nameIn(schema) }),
	};
}

export function schemaOf(name: string): JsonObject {
	return at('components', 'schemas', name) as JsonObject;
}

export function sectionOf(node: JsonObject): string | undefined {
	const section = node['x-section'];
	return section === undefined ? undefined : [section].flat().map(text).join(', ');
}

/** The node that a `$ref` names, or the node itself. */
export function resolve(node: Json | undefined): Json | undefined {
	const ref = isObject(node) ? node['$ref'] : undefined;
	return typeof ref === 'string' ? resolve(at(...ref.slice('#/'.length).split('/'))) : node;
}

/** `#/components/schemas/Event` names Event. */
export function nameIn(ref: Json | undefined): string {
	return text(ref).split('/').pop() ?? '';
}

function at(...steps: string[]): Json | undefined {
	return steps.reduce<Json | undefined>(
		(node, step) =>
			Array.isArray(node) ? node[Number(step)] : isObject(node) ? node[step] : undefined,
		contract,
	);
}

/** Names of fields, and the words that they may hold: what a report may repeat. */
export const vocabulary: ReadonlySet<string> = new Set(wordsIn(contract));

function wordsIn(node: Json): string[] {
	if (Array.isArray(node)) return node.flatMap(wordsIn);
	if (!isObject(node)) return [];
	return Object.entries(node).flatMap(([key, inner]) => {
		if (key === 'properties' || key === 'headers' || key === 'content') {
			return [...Object.keys(inner as JsonObject), ...wordsIn(inner)];
		}
		if (key === 'const' || key === 'enum') return [inner].flat().map(text);
		return key === 'examples' || key === 'example' ? [] : wordsIn(inner);
	});
}
