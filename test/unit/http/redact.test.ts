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
	['a link', 'connection_link=https://x.example/?s=1', 'connection_link=…'],
	['a JSON web token', 'token eyJhbGciOiJIUzI1.eyJzdWIi.c2ln is old', 'token … is old'],
])('%s that gives access is taken out', (_, text, clean) => {
	expect(redact(text)).toBe(clean);
});

test.each([
	'Bearer',
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

test('a secret is found encoded for a URL and for JSON as well', () => {
	const secret = 'a"b/c d';
	const said = `${secret} ${encodeURIComponent(secret)} ${JSON.stringify({ value: secret })}`;
	expect(redact(said, [secret])).toBe('… … {"value":"…"}');
});

test('a secret of three characters or fewer would take out half of every text', () => {
	expect(redact('the tests', ['the'])).toBe('the tests');
	expect(redact('the tests', ['test'])).toBe('the …s');
});

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
