import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readContract } from '../../sandbox/contract';
import { contractFile, readDocument } from '../support/platform/contractDocument';

const document = readDocument();
const all = readContract();

// The validator is an ES module, which jest cannot load here: its command does the same.
const validator = join(
	__dirname,
	'../../node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
);

test('the contract is a valid OpenAPI 3.1 document', () => {
	const words = [validator, contractFile];
	const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
	expect({ status, ...(JSON.parse(stdout) as object) }).toEqual({ status: 0, valid: true });
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
	const lacking = lists.filter(({ parameters }) => {
		const names = parameters.map(({ name }) => name);
		return !names.includes('page[number]') || !names.includes('page[size]');
	});
	expect(lacking.map(({ id }) => id)).toEqual([]);
});

test('every parameter of a path is declared, and none that the path lacks', () => {
	for (const { id, path, parameters } of all) {
		const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const declared = parameters
			.filter((parameter) => parameter.in === 'path')
			.map(({ name }) => name);
		expect([id, declared]).toEqual([id, inPath]);
	}
});
