import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readContract } from '../../sandbox/contract';
import { contractFile, readDocument } from '../support/readDocument';

const document = readDocument();
const all = readContract();

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
		.filter(({ checkAnswer }) => !['401', '403', '429'].every((status) => checkAnswer.has(status)));
	expect(lacking.map(({ id }) => id)).toEqual([]);
});

test('every list takes page[number] and page[size]', () => {
	const lists = all.filter(({ id }) => id.startsWith('list'));
	expect(lists.length).toBe(13);
	for (const { id, parameters } of lists) {
		expect([id, parameters.map(({ name }) => name)]).toEqual([
			id,
			expect.arrayContaining(['page[number]', 'page[size]']),
		]);
	}
});

test('every parameter of a path is declared, and none that the path lacks', () => {
	for (const { id, path, parameters } of all) {
		const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
		expect([id, declared]).toEqual([id, inPath]);
	}
});
