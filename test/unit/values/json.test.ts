import { parseJson, quote, text, unixMs } from '../../../nodes/EventPlatform/core/values/json';

test.each<[string, unknown]>([
	['{"id":9007199254740993}', { id: '9007199254740993' }],
	['[-9007199254740993, 12345678901234567890]', ['-9007199254740993', '12345678901234567890']],
	['{"id":9007199254740991}', { id: 9_007_199_254_740_991 }],
	[
		'{"a":"9007199254740993 \\" 9007199254740993","b":1}',
		{ a: '9007199254740993 " 9007199254740993', b: 1 },
	],
	['{"9007199254740993":1.2345678901234567890e5}', { '9007199254740993': 123456.78901234567 }],
	['[1e30, 9007199254740993.5]', [1e30, 9007199254740993.5]],
	['[20000000000000000e-16, 20000000000000000E+1]', [2, 2e17]],
])('%s keeps all digits', (text, value) => {
	expect(parseJson(text)).toEqual(value);
});

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
	[
		{ a: [{ password_key: 'xy', b: ['Bearer\tx', 1, null] }] },
		'{"a":[{"password_key":"…","b":["Bearer …",1,null]}]}',
	],
	[{ a: { a: { a: { a: { a: { a: 'deep' } } } } } }, '{"a":{"a":{"a":{"a":{"a":{"a":"deep"}}}}}}'],
	[[[[[[[['deep'], 'seven']]]]]], '[[[[[[null,"seven"]]]]]]'],
	['x'.repeat(500), 'x'.repeat(500)],
	['x'.repeat(501), `${'x'.repeat(500)}…`],
])('the quote of %j is %s', (value, expected) => {
	expect(quote(value)).toBe(expected);
});

test('a quote gives no access, also where the cut goes through what does', () => {
	expect(quote(`${'x '.repeat(245)}Bearer ${'abc123'.repeat(10)}`)).not.toContain('abc');
});

test('of a long list the first hundred parts are quoted, and the others not even looked at', () => {
	const far = () => {
		throw new Error('too far');
	};
	const list = Object.defineProperty(Array(200).fill(1), 150, { get: far });
	expect(quote(list)).toBe(JSON.stringify(Array(100).fill(1)));
});

test.each([
	[1e11, 1e11],
	[1e14, 1e11],
	[1e17, 1e11],
])('the time %d is %d in milliseconds', (time, ms) => {
	expect(unixMs(time)).toBe(ms);
});
