import {
	countOf,
	quote,
	replaceAddresses,
	text,
} from '../../../nodes/EventPlatform/core/values/text';

test.each([
	[0, '0 people'],
	[1, '1 person'],
	[1_204, '1,204 people'],
])('%i are counted as "%s"', (count, words) => {
	expect(countOf(count, 'person', 'people')).toBe(words);
});

test('most nouns get an s', () => {
	expect([countOf(1, 'job'), countOf(2, 'job')]).toEqual(['1 job', '2 jobs']);
});

test.each([
	['words', 'words'],
	[0, '0'],
	[false, 'false'],
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
	['\ufeffVorname', 'Vorname'],
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
	['Ask Ada@x.io.', 'Ask the address.'],
	["'ada@x.io' is taken", "'the address' is taken"],
	['ada@x.io is taken', 'The address is taken'],
])('"%s" without addresses is "%s"', (text, without) => {
	expect(replaceAddresses(text, 'the address')).toBe(without);
});
