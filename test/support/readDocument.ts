import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const contractFile = join(__dirname, '..', '..', 'contract', 'openapi.yaml');

type Schema = Record<string, unknown>;

interface Contract {
	openapi: string;
	paths: Record<string, Record<string, unknown>>;
	webhooks: Record<string, unknown>;
	components: {
		schemas: Record<string, Schema>;
		securitySchemes: { oauth2: { flows: { authorizationCode: { scopes: Schema } } } };
	};
}

/** The contract as it is written. */
export function readDocument(): Contract {
	return parse(readFileSync(contractFile, 'utf8')) as Contract;
}
