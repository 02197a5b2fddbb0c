import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import { literalSpreads, plugin, untypedExports, vagueNames } from '../../scripts/lint/rules';

/* The tests show what the rules of this repository forbid, and what they let pass. */

const linter = new Linter();

/** How many faults the rules find in the code of a file. */
function faultsIn(code: string): number {
	const faults = linter.verify(code, {
		languageOptions: { parser },
		plugins: { house: plugin },
		rules: {
			'no-restricted-syntax': ['error', ...literalSpreads, ...untypedExports],
			'house/commented-fields': 'error',
			'id-denylist': ['error', ...vagueNames],
		},
	});
	expect(faults.filter(({ fatal }) => fatal)).toEqual([]);
	return faults.length;
}

describe('a literal in a literal', () => {
	test.each([
		'const all = { ...{ a } };',
		'const all = [...[a], b];',
		'send(...[a, b]);',
		'const limit = new Limit(...[a, b]);',
		'const all = { ...({ a } as Row) };',
		'const all = { ...({ a } satisfies Row) };',
		'const all = [...([a, b] as const)];',
		'const all = { ...(isOpen ? { a } : { a: b }) };',
		'const all = [...(isOpen ? [a] : [b])];',
		'const all = { ...Object.fromEntries([[a, b]]) };',
	])('is a fault: %s', (code) => {
		expect(faultsIn(code)).toBe(1);
	});

	test.each([
		'const all = { ...row, a };',
		'const all = [...rows, a];',
		'send(...rows);',
		'const all = { ...(link && { link }) };',
		'const all = { ...(link ? { link } : {}) };',
		'const all = [...(link ? [link] : [])];',
		'const all = { ...(isOpen ? openFields : fields) };',
		'const all = [...new Set([a, b])];',
		'const all = { ...Object.fromEntries(entries) };',
	])('is none: %s', (code) => {
		expect(faultsIn(code)).toBe(0);
	});
});

describe('what is exported without its type', () => {
	test.each([
		"export const field = makeField('text');",
		'export const read = isOpen ? readOpen : readClosed;',
		'export const read = readers.open;',
		'export const read = readOpen;',
		'export const session = await read();',
	])('is a fault: %s', (code) => {
		expect(faultsIn(code)).toBe(1);
	});

	test.each([
		"export const field: Field = makeField('text');",
		"const field = makeField('text');",
		"export const name = 'text';",
		'export const limit = 60 * 1_000;',
		'export const names = new Map<string, Row>();',
		"export const names = ['a', 'b'] as const;",
		'export const shapes = { a: 1 } satisfies Shapes;',
	])('is none: %s', (code) => {
		expect(faultsIn(code)).toBe(0);
	});
});

describe('a tuple in what is exported', () => {
	test.each([
		'export type Span = [number, number];',
		'export type Spans = { kind: string; spans: readonly [number, number][] };',
		'export interface Row {\n\t/** From and to. */\n\tspan: [number, number];\n}',
		'export function read(span: [number, number]): void {}',
		'export function read(): [number, number] {}',
		'export class Reader {\n\tread(): [number, number] {}\n}',
		'export const spans: [number, number][] = [];',
	])('is a fault: %s', (code) => {
		expect(faultsIn(code)).toBe(1);
	});

	test.each([
		'type Span = [number, number];',
		'export type Spans = number[];',
		'export function read(): void { const span: [number, number] = [1, 2]; }',
		'export class Reader {\n\tread(): void { const span: [number, number] = [1, 2]; }\n}',
	])('is none: %s', (code) => {
		expect(faultsIn(code)).toBe(0);
	});
});

describe('a name that says of a thing only that it is meant', () => {
	test.each([
		'const known = rows.length;',
		'rows.map((one) => read(one.id));',
		'function read({ arguments: given }) {}',
		'const those = rows.filter(isRead);',
		'const found = rows.find(isRead);',
		'function read(wanted) {}',
		'const row = { shown: true };',
		'interface Row {\n\tother: string;\n}',
	])('is a fault: %s', (code) => {
		expect(faultsIn(code)).toBeGreaterThan(0);
	});

	test.each([
		'const knownRows = rows.length;',
		'rows.map((row) => read(row.one));',
		"const choice = { value: 'other' };",
	])('is none in a longer name, in a text, or as the name of a member that is read: %s', (code) => {
		expect(faultsIn(code)).toBe(0);
	});
});

describe('a field of an exported interface', () => {
	test.each([
		'export interface Row {\n\tname: string;\n}',
		'export interface Row {\n\tread(): string;\n}',
		'export interface Row {\n\t/** As people read it. */\n\tname: string;\n\tid: string;\n}',
		'export interface Row {\n\t/** As people read it. */\n\tname: string; // in their language\n\tid: string;\n}',
	])('is a fault without a comment: %j', (code) => {
		expect(faultsIn(code)).toBe(1);
	});

	test.each([
		'export interface Row {\n\t/** As people read it. */\n\tname: string;\n}',
		'export interface Row {\n\t// As people read it.\n\tname: string;\n}',
		'interface Row {\n\tname: string;\n}',
		"export interface Row {\n\tkind: 'row';\n}",
		'export interface Rows extends Named {}',
	])('is none with one, with a single value, or in a file: %j', (code) => {
		expect(faultsIn(code)).toBe(0);
	});
});
