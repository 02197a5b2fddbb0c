import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const contractFile = join(__dirname, '..', '..', 'contract', 'openapi.yaml');

export type Schema = Record<string, unknown>;

export interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	schema: Schema;
}

export interface Contract {
	openapi: string;
	paths: Record<string, Record<string, unknown>>;
	webhooks: Record<string, unknown>;
	components: {
		schemas: Record<string, Schema>;
		parameters: Record<string, Parameter>;
		securitySchemes: { oauth2: { flows: { authorizationCode: { scopes: Schema } } } };
	};
}

interface RawOperation {
	operationId: string;
	summary?: string;
	'x-evidence': string;
	'x-scopes': string[];
	security?: Array<Record<string, string[]>>;
	parameters?: Array<Parameter | { $ref: string }>;
	responses: Record<string, unknown>;
}

export interface ReadOperation extends RawOperation {
	method: string;
	path: string;
	parameters: Parameter[];
}

/** The contract as it is written, read without the loader of the sandbox. */
export function readDocument(): Contract {
	return parse(readFileSync(contractFile, 'utf8')) as Contract;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function operations({ paths, components }: Contract): ReadOperation[] {
	const named = (parameter: Parameter | { $ref: string }): Parameter => {
		if (!('$ref' in parameter)) return parameter;
		const found = components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
		if (!found) throw new Error(`${parameter.$ref} leads nowhere`);
		return found;
	};
	return Object.entries(paths).flatMap(([path, entries]) =>
		methods
			.filter((method) => method in entries)
			.map((method) => {
				const operation = entries[method] as RawOperation;
				const parameters = (operation.parameters ?? []).map(named);
				return { ...operation, method: method.toUpperCase(), path, parameters };
			}),
	);
}
