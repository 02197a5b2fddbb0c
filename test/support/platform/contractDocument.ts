import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

export const contractFile = join(__dirname, '..', '..', '..', 'contract', 'openapi.yaml');

interface Contract {
	openapi: string;
	paths: Record<string, Record<string, unknown>>;
	webhooks: Record<string, unknown>;
	components: { schemas: Record<string, Record<string, unknown>> };
}

/** The contract as it is written. */
export function readDocument(): Contract {
	return load(readFileSync(contractFile, 'utf8')) as Contract;
}
