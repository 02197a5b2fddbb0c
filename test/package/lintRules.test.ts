import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import {
	literalSpreads,
	spreadArguments,
	untypedExports,
	vagueNames,
} from '../../scripts/lint/rules';

/* What the rules of this repository forbid, and what they let pass: a selector that no longer matches would forbid nothing. */

const linter = new Linter();

/** How many faults the rules find in the code of a file. */
function faultsIn(code: string): number {
	const faults = linter.verify(code, {
		languageOptions: { parser },
		rules: {
			'no-restricted-syntax': ['error', ...literalSpreads, ...untypedExports, ...spreadArguments],
			'id-denylist': ['error', ...vagueNames],
		},
	});
	expect(faults.filter(({ fatal }) => fatal)).toEqual([]);
	return faults.length;
}

test.each([
	'const all = { ...{ a } };',
	'const all = { ...({ a } as Row) };',
	'const all = { ...(isOpen ? { a } : { a: b }) };',
	'const all = [...(isOpen ? [a] : [b])];',
	'const all = { ...Object.fromEntries([[a, b]]) };',
	"export const field = makeField('text');",
	'export function read(span: [number, number]): void {}',
	'records.push(...page);',
	'const keys = new Keys(...names);',
	'notes?.note(describe, ...remarks);',
	'const row = { found: true };',
])('is a fault: %s', (code) => {
	expect(faultsIn(code)).toBe(1);
});

test.each([
	'const all = { ...row, a };',
	'addAll(records, [...page, a]);',
	'const all = { ...(link && { link }) };',
	'const all = [...(link ? [link] : [])];',
	'const all = { ...(isOpen ? openFields : fields) };',
	'const all = { ...Object.fromEntries(entries) };',
	"export const field: Field = makeField('text');",
	"export const names = ['a', 'b'] as const;",
	'export function read(): void { const span: [number, number] = [1, 2]; }',
	'const row = read(rows.found);',
])('is none: %s', (code) => {
	expect(faultsIn(code)).toBe(0);
});
