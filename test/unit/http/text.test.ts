import { text } from '../../../nodes/EventPlatform/core/http/json';
import { quote, replaceAddresses } from '../../../nodes/EventPlatform/core/http/text';

test.each([
	['words', 'words'],
	[0, '0'],
	[false, 'false'],
	[7n, '7'],
	[null, ''],
	[{ a: 1 }, ''],
	[['a'], ''],
])('the text of %p is "%s"', (value, expected) => {
	expect(text(value)).toBe(expected);
});

test.each([
	[null, undefined],
	['', undefined],
	[0, '0'],
	[false, 'false'],
	['words', 'words'],
	[['a', { b: 1 }], '["a",{"b":1}]'],
	['password=hunter2', 'password=…'],
	['x'.repeat(500), 'x'.repeat(500)],
	['x'.repeat(501), `${'x'.repeat(500)}…`],
])('the quote of %j is %s', (value, expected) => {
	expect(quote(value)).toBe(expected);
});

test('a quote gives no access, also where the cut goes through what does', () => {
	expect(quote(`${'x '.repeat(245)}Bearer ${'abc123'.repeat(10)}`)).not.toContain('abc');
});

test.each([
	['Ask Ada@x.io.', 'Ask the address.'],
	["'ada@x.io' is taken", "'the address' is taken"],
	['ada@x.io is taken', 'The address is taken'],
])('"%s" without addresses is "%s"', (given, without) => {
	expect(replaceAddresses(given, 'the address')).toBe(without);
});
