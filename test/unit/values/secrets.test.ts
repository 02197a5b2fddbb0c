import fc from 'fast-check';
import { redact } from '../../../nodes/EventPlatform/core/values/secrets';

test.each([
	['"connection_link": "https://x.example/?s=s1&t=s1"', '"connection_link": "…"'],
	['"password_key":"s1\\"s1"', '"password_key":"…"'],
	['"{\\"password_key\\":\\"s1;s1\\",\\"a\\":1}"', '"{\\"password_key\\":\\"…\\",\\"a\\":1}"'],
	["password_key: 's1, s1&s1'", "password_key: '…'"],
	['join_link: https://x.example/s1;s1, and', 'join_link: … and'],
	['passwordKey=s1', 'passwordKey=…'],
	['Connection Link: s1 and', 'Connection Link: … and'],
	['connection_link%3Dhttps%3A%2F%2Fx.example%2Fs1', 'connection_link%3D…'],
	['accessToken=s1&refreshToken=s1', 'accessToken=…'],
	['client-secret: s1', 'client-secret: …'],
	['X-Api-Key: s1', 'X-Api-Key: …'],
	['{"id":"password_key","value":"s1"}', '{"id":"password_key","value":"…"}'],
	[
		'{"id":"connection_link","type":"text","value":"s1&s1;s1"},{"id":"city","value":"Paris"}',
		'{"id":"connection_link","type":"text","value":"…"},{"id":"city","value":"Paris"}',
	],
	[
		'{\\"id\\":\\"password_key\\",\\"value\\":\\"s1\\"}',
		'{\\"id\\":\\"password_key\\",\\"value\\":\\"…\\"}',
	],
])('%s is what gives access, and is shown as %s', (text, clean) => {
	expect(redact(text)).toBe(clean);
	expect(redact(clean)).toBe(clean);
	expect(clean).not.toContain('s1');
});

/** Parts of a spelling that never becomes one: each beginning is looked at, and none may be looked at to the end of the text. */
test.each([
	'"value":"',
	'password_key"value',
	'password_key="',
	'connection_link',
	'connection ',
	'<password_key',
	'\\\\\\\\',
	'password_key: {',
	'%25%25%25',
	'"value":"\\"id":"',
	'password_key=a&',
	'password_key is ',
	'connection_link is a',
])('a long text of "%s" takes no time', (part) => {
	const text = part.repeat(1_000_000 / part.length);
	expect(redact(text).length).toBeLessThanOrEqual(2 * text.length);
});

test.each([
	['Authorization said Bearer abc.d-e_f~1+2/3==', 'Authorization said Bearer …'],
	['basic dXNlcg==, BEARER  xyz', 'basic …, BEARER …'],
	['{"access_token": "abc", "age": 3}', '{"access_token": "…", "age": 3}'],
	['at /hook?key=ab_c-1&a=b and ?a&key=d', 'at /hook?key=…&a=b and ?a&key=…'],
	['https%3A%2F%2Fx%2F%3Fa%26key%3Dab_c-d%26b', 'https%3A%2F%2Fx%2F%3Fa%26key%3D…%26b'],
	['"/hook?a=1\\u0026key=ab-c"', '"/hook?a=1\\u0026key=…"'],
	['token eyJhbGciOiJIUzI1.eyJzdWIi.c2ln is old', 'token … is old'],
	['token eyJhbGciOiJIUzI1', 'token …'],
	// A text that only resembles a secret stays as it is.
	['Bearer', 'Bearer'],
	['the forbearer left', 'the forbearer left'],
	['the secretary: Ada', 'the secretary: Ada'],
	['a password is needed', 'a password is needed'],
	['connection_link is missing', 'connection_link is missing'],
	['monkeyJhbGciOiJIUzI1 jumps', 'monkeyJhbGciOiJIUzI1 jumps'],
	['eyJ and eyJshort are words', 'eyJ and eyJshort are words'],
])('%s gives access, and is shown as %s', (text, clean) => {
	expect(redact(text)).toBe(clean);
});

const awkward = `a"b/c d&e'f<g>h-i_j\\k`;
test.each([
	['as it is', awkward],
	['for an address', encodeURIComponent(awkward)],
	['for a form', new URLSearchParams({ a: awkward }).toString().slice(2)],
	['for JSON', JSON.stringify(awkward).slice(1, -1)],
])('a secret is found written %s', (_, written) => {
	expect(redact(`x${written}y`, [awkward])).toBe('x…y');
});

test.each([
	['?a=p%C3%A4ssword&b', ['pässword'], '?a=…&b'],
	// As a header holds it.
	['"abcd" is wrong', [' ab\ncd\u200b'], '"…" is wrong'],
	['half \ud800 of a pair', ['ab\ud800cd'], 'half \ud800 of a pair'],
	// The longest first.
	['x-longer-y-long', ['long', 'longer'], 'x-…-y-…'],
	['long longer', ['longer', 'long'], '… …'],
	// A text that only resembles a secret stays. A secret of three characters would take out half of every text.
	['abcdef abc--def abc-de bc-def', ['abc-def'], 'abcdef abc--def abc-de bc-def'],
	['the tests', ['the', 'test'], 'the …s'],
])('"%s" without the secrets %j is "%s"', (text, secrets, clean) => {
	expect(redact(text, secrets)).toBe(clean);
});

test('a token in use never gets through, however the platform echoes it', () => {
	const around = fc.string({ maxLength: 30 });
	fc.assert(
		fc.property(fc.stringMatching(/^[\w-]{12,40}$/), around, around, (token, before, after) => {
			for (const text of [token, encodeURIComponent(token), `Bearer ${token}`]) {
				expect(redact(before + text + after, [token])).not.toContain(token);
			}
		}),
	);
});
