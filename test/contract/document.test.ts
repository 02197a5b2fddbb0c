import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { contractFile, operations, readDocument } from '../support/readDocument';

const document = readDocument();
const all = operations(document);

// The validator is an ES module, which jest cannot load here: its command does the same.
const validator = join(
	__dirname,
	'../../node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
);
function validated(file: string) {
	const { status, stdout } = spawnSync(process.execPath, [validator, file], { encoding: 'utf8' });
	return { status, ...(JSON.parse(stdout) as { valid: boolean; errors?: unknown }) };
}

test('the contract is a valid OpenAPI 3.1 document', () => {
	expect(validated(contractFile)).toEqual({ status: 0, valid: true });
	expect(document.openapi).toMatch(/^3\.1\./);
});

test('what is marked as specified names its section', () => {
	const { components, paths, webhooks } = document;
	const groups = [paths, webhooks, components].flatMap((all) => Object.values(all)) as object[];
	const lacking = groups
		.flatMap((group) => Object.entries(group) as Array<[string, Record<string, unknown>]>)
		.filter(([, part]) => part['x-evidence'] === 'specified' && !part['x-section']);
	expect(lacking.map(([name]) => name)).toEqual([]);
});

test('every operation of the API can be refused for its token, its scope and its pace', () => {
	const lacking = all
		.filter(({ path }) => path.startsWith('/v1/'))
		.filter(({ responses }) => !['401', '403', '429'].every((status) => status in responses));
	expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
});

test('every list takes page[number] and page[size]', () => {
	const lists = all.filter(({ operationId }) => operationId.startsWith('list'));
	expect(lists.length).toBe(13);
	for (const { operationId, parameters } of lists) {
		expect([operationId, parameters.map(({ name }) => name)]).toEqual([
			operationId,
			expect.arrayContaining(['page[number]', 'page[size]']),
		]);
	}
});

test('every parameter of a path is declared, and none that the path lacks', () => {
	for (const { operationId, path, parameters } of all) {
		const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
		expect([operationId, declared]).toEqual([operationId, inPath]);
	}
});
