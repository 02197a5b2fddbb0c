import { redact, redactWithin } from '../../../nodes/EventPlatform/core/http/redact';

const none = new Set<string>();

test.each([
	[
		'a token in a header',
		'Authorization said Bearer abc.d-e_f~1+2/3==',
		'Authorization said Bearer …',
	],
	['in any case', 'basic dXNlcg==, BEARER  xyz', 'basic …, BEARER …'],
	['a field of JSON', '{"access_token": "abc", "age": 3}', '{"access_token": "…", "age": 3}'],
	['a parameter', 'password=hunter2&page=1', 'password=…&page=1'],
	[
		'the key of a webhook',
		'at /hook?key=ab_c-1&a=b and ?a&key=d',
		'at /hook?key=…&a=b and ?a&key=…',
	],
	['a line', 'API_TOKEN : abc; apitoken:def', 'API_TOKEN : …; apitoken:…'],
	['a link', 'connection_link=https://x.example/?s=1&t=2;u=3, which', 'connection_link=… which'],
	[
		'a link in JSON',
		'{"connection_link":"https://x.example/?s=1&t=2;u=3"}',
		'{"connection_link":"…"}',
	],
	['a link in JSON in JSON', '"{\\"password_key\\":\\"s1\\"}"', '"{\\"password_key\\":\\"…"}"'],
	[
		'a link in HTML',
		'<a connection_link=&quot;https://x.example/?s=1&amp;t=2&quot;>',
		'<a connection_link=&quot;…>',
	],
	[
		'a link as PHP writes it',
		'"connection_link":"https:\\/\\/x\\/?s=1&t=2"',
		'"connection_link":"…"',
	],
	[
		'an encoded link',
		'u=1&connection_link%3Dhttps%3A%2F%2Fx.example%2Fs%26t',
		'u=1&connection_link%3D…',
	],
	[
		'an encoded key',
		'to https%3A%2F%2Fx%2F%3Fa%26key%3Dab_c%2Dd%26b',
		'to https%3A%2F%2Fx%2F%3Fa%26key%3D…%26b',
	],
	['a key in HTML', '/hook?a=1&amp;key=ab-c&amp;b=2', '/hook?a=1&amp;key=…&amp;b=2'],
	['a key in JSON', '"/hook?a=1\\u0026key=ab-c"', '"/hook?a=1\\u0026key=…"'],
	['a JSON web token that was cut off', 'token eyJhbGciOiJIUzI1', 'token …'],
	[
		'a field in HTML',
		'{&#39;refresh_token&#039;: &#34;s1&#34;} api-secret&#61;s2 password&#x3D;s3',
		'{&#39;refresh_token&#039;: &#34;…&#34;} api-secret&#61;… password&#x3D;…',
	],
	[
		'a field in an address',
		'%22password%22%3A%22s1 %2527secret%2527%253ds2 client_secret=s3;a',
		'%22password%22%3A%22… %2527secret%2527%253d… client_secret=…;a',
	],
	[
		'a field in a script',
		`{'Authorization': 'Basic s1', secret\\u003ds2}`,
		`{'Authorization': '… …', secret\\u003d…}`,
	],
	['a JSON web token', 'token eyJhbGciOiJIUzI1.eyJzdWIi.c2ln is old', 'token … is old'],
])('%s that gives access is taken out', (_, text, clean) => {
	expect(redact(text)).toBe(clean);
});

test.each([
	'Bearer',
	'the forbearer left',
	'the secretary: Ada',
	'a password is needed',
	'monkeyJhbGciOiJIUzI1 jumps',
	'eyJ and eyJshort are words',
	'page=1',
])('"%s" stays as it is', (text) => {
	expect(redact(text)).toBe(text);
});

test('the secrets in use are taken out wherever they stand, the longest first', () => {
	expect(redact('x-longer-y-long', ['long', 'longer'])).toBe('x-…-y-…');
	expect(redact('long longer', ['longer', 'long'])).toBe('… …');
});

const awkward = `a"b/c d&e'f<g>h-i_j\\k`;
const inHtml = (text: string, encode: (one: string) => string) => text.replace(/[^a-z]/g, encode);

const named: Record<string, string> = {
	...{ '"': '&quot;', "'": '&apos;', '&': '&amp;', '<': '&lt;', '>': '&gt;' },
};

test.each([
	['as it is', awkward],
	['for an address', encodeURIComponent(awkward)],
	['for an address, in lower case', encodeURIComponent(awkward).toLowerCase()],
	['for an address in an address', encodeURIComponent(encodeURIComponent(awkward))],
	['for a form', new URLSearchParams({ a: awkward }).toString().slice(2)],
	['for an address, each character', inHtml(awkward, (one) => `%${hex(one)}`)],
	['for JSON', JSON.stringify(awkward).slice(1, -1)],
	['for JSON in JSON', JSON.stringify(JSON.stringify(awkward)).slice(3, -3)],
	['for JSON, each character', inHtml(awkward, (one) => `\\u00${hex(one)}`)],
	['for HTML', inHtml(awkward, (one) => `&#${one.charCodeAt(0)};`)],
	['for HTML, in hexadecimals', inHtml(awkward, (one) => `&#x${hex(one)};`)],
	['for HTML, by name', inHtml(awkward, (one) => named[one] ?? one)],
])('a secret is found written %s', (_, written) => {
	expect(redact(`x${written}y`, [awkward])).toBe('x…y');
});

function hex(one: string): string {
	return one.charCodeAt(0).toString(16).padStart(2, '0');
}

describe('within a value', () => {
	test('texts and names are cleaned, everything else stays', () => {
		const value = { 'a hidden b': ['hidden', 1, true, null, { deep: 'hidden!' }] };
		expect(redactWithin(value, new Set(['hidden']))).toEqual({
			'a … b': ['…', 1, true, null, { deep: '…!' }],
		});
	});

	test('what lies deeper than six levels is left out', () => {
		const nested = { a: { a: { a: { a: { a: { a: 'deep' } } } } } };
		expect(redactWithin(nested, none)).toEqual(nested);
		expect(JSON.stringify(redactWithin({ a: nested }, none))).toBe(
			'{"a":{"a":{"a":{"a":{"a":{}}}}}}',
		);
	});

	test('the first hundred parts count', () => {
		const list = Array.from({ length: 101 }, (_, index) => index);
		expect(redactWithin(list, none)).toEqual(list.slice(0, 100));
		const parts = Object.keys(redactWithin({ ...list }, none) as object);
		expect(parts).toHaveLength(100);
	});

	test('a text ends after a hundred thousand characters', () => {
		expect(redactWithin('x'.repeat(100_001), none)).toBe('x'.repeat(100_000));
	});
});

test.each([
	['?a=p%C3%A4ssword&b, p%25C3%25A4ssword', 'pässword', '?a=…&b, …'],
	['?a=ab%09cd', 'ab\tcd', '?a=…'],
	['in a&#45;bc and a&#x2d;bc and a&#x002D;bc', 'a-bc', 'in … and … and …'],
])('"%s" is searched as addresses and HTML write %s', (text, secret, clean) => {
	expect(redact(text, [secret])).toBe(clean);
});

test('a text that only resembles a secret stays', () => {
	for (const text of ['abcdef', 'abc--def', 'abc-de', 'bc-def']) {
		expect(redact(text, ['abc-def'])).toBe(text);
	}
});

test('a secret of three characters or fewer would take out half of every text', () => {
	expect(redact('the tests', ['the'])).toBe('the tests');
	expect(redact('the tests', ['test'])).toBe('the …s');
});
