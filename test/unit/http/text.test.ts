import { quote, replaceAddresses, text } from '../../../nodes/EventPlatform/core/http/text';

test.each([
	['words', 'words'],
	[0, '0'],
	[false, 'false'],
	[7n, '7'],
	[null, ''],
	[undefined, ''],
	[{ a: 1 }, ''],
	[['a'], ''],
])('the text of %p is "%s"', (value, expected) => {
	expect(text(value)).toBe(expected);
});

describe('a quote', () => {
	test.each([[undefined], [null], ['']])('of %p is none', (value) => {
		expect(quote(value)).toBeUndefined();
	});

	test.each([
		[0, '0'],
		[false, 'false'],
		['words', 'words'],
		[['a', { b: 1 }], '["a",{"b":1}]'],
	])('of %j is %s', (value, expected) => {
		expect(quote(value)).toBe(expected);
	});

	test('gives no access, also where the cut goes through what does', () => {
		expect(quote('password=hunter2')).toBe('password=…');
		const said = `${'x '.repeat(245)}Bearer ${'abc123'.repeat(10)}`;
		expect(quote(said)).not.toContain('abc');
	});

	test('is cut after 500 characters, and says so', () => {
		expect(quote('x'.repeat(500))).toBe('x'.repeat(500));
		expect(quote('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
	});
});

test.each([
	['Ask Ada@x.io.', 'Ask the address.'],
	["'ada@x.io' is taken", "'the address' is taken"],
	['ada@x.io is taken', 'The address is taken'],
	['a word', 'a word'],
])('"%s" without addresses is "%s"', (given, without) => {
	expect(replaceAddresses(given, 'the address')).toBe(without);
});
