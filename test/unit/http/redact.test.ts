import fc from 'fast-check';
import { redact } from '../../../nodes/EventPlatform/core/http/redact';

test.each([
	['Authorization said Bearer abc.d-e_f~1+2/3==', 'Authorization said Bearer …'],
	['basic dXNlcg==, BEARER  xyz', 'basic …, BEARER …'],
	['{"access_token": "abc", "age": 3}', '{"access_token": "…", "age": 3}'],
	['password=hunter2&page=1', 'password=…&page=1'],
	['at /hook?key=ab_c-1&a=b and ?a&key=d', 'at /hook?key=…&a=b and ?a&key=…'],
	['API_TOKEN : abc; apitoken:def', 'API_TOKEN : …; apitoken:…'],
	['connection_link=https://x.example/?s=1&t=2;u=3, which', 'connection_link=… which'],
	['{"connection_link":"https://x.example/?s=1&t=2;u=3"}', '{"connection_link":"…"}'],
	['"{\\"password_key\\":\\"s1\\"}"', '"{\\"password_key\\":\\"…"}"'],
	['<a connection_link=&quot;https://x.example/?s=1&amp;t=2&quot;>', '<a connection_link=&quot;…>'],
	['"connection_link":"https:\\/\\/x\\/?s=1&t=2"', '"connection_link":"…"'],
	['u=1&connection_link%3Dhttps%3A%2F%2Fx.example%2Fs%26t', 'u=1&connection_link%3D…'],
	['https%3A%2F%2Fx%2F%3Fa%26key%3Dab_c%2Dd%26b', 'https%3A%2F%2Fx%2F%3Fa%26key%3D…%26b'],
	['/hook?a=1&amp;key=ab-c&amp;b=2', '/hook?a=1&amp;key=…&amp;b=2'],
	['"/hook?a=1\\u0026key=ab-c"', '"/hook?a=1\\u0026key=…"'],
	['{&#39;refresh_token&#039;: &#34;s1&#34;}', '{&#39;refresh_token&#039;: &#34;…&#34;}'],
	['api-secret&#61;s2 password&#x3D;s3', 'api-secret&#61;… password&#x3D;…'],
	[
		'%22password%22%3A%22s1 %2527secret%2527%253ds2',
		'%22password%22%3A%22… %2527secret%2527%253d…',
	],
	['client_secret=s3;a', 'client_secret=…;a'],
	[`{'Authorization': 'Basic s1', secret\\u003ds2}`, `{'Authorization': '… …', secret\\u003d…}`],
	['token eyJhbGciOiJIUzI1.eyJzdWIi.c2ln is old', 'token … is old'],
	['token eyJhbGciOiJIUzI1', 'token …'],
	// What only resembles a secret stays as it is.
	['Bearer', 'Bearer'],
	['the forbearer left', 'the forbearer left'],
	['the secretary: Ada', 'the secretary: Ada'],
	['a password is needed', 'a password is needed'],
	['monkeyJhbGciOiJIUzI1 jumps', 'monkeyJhbGciOiJIUzI1 jumps'],
	['eyJ and eyJshort are words', 'eyJ and eyJshort are words'],
])('%s gives access, and is shown as %s', (text, clean) => {
	expect(redact(text)).toBe(clean);
});

const awkward = `a"b/c d&e'f<g>h-i_j\\k`;
const each = (encode: (one: string) => string) => awkward.replace(/[^a-z]/g, encode);
const hex = (one: string) => one.charCodeAt(0).toString(16).padStart(2, '0');
const named: Record<string, string> = {
	...{ '"': '&quot;', "'": '&apos;', '&': '&amp;', '<': '&lt;', '>': '&gt;' },
};

test.each([
	['as it is', awkward],
	['for an address', encodeURIComponent(awkward)],
	['for an address, in lower case', encodeURIComponent(awkward).toLowerCase()],
	['for an address in an address', encodeURIComponent(encodeURIComponent(awkward))],
	['for a form', new URLSearchParams({ a: awkward }).toString().slice(2)],
	['for an address, each character', each((one) => `%${hex(one)}`)],
	['for JSON', JSON.stringify(awkward).slice(1, -1)],
	['for JSON in JSON', JSON.stringify(JSON.stringify(awkward)).slice(3, -3)],
	['for JSON, each character', each((one) => `\\u00${hex(one)}`)],
	['for HTML', each((one) => `&#${one.charCodeAt(0)};`)],
	['for HTML, in hexadecimals', each((one) => `&#x${hex(one)};`)],
	['for HTML, by name', each((one) => named[one] ?? one)],
])('a secret is found written %s', (_, written) => {
	expect(redact(`x${written}y`, [awkward])).toBe('x…y');
});

test.each([
	['?a=p%C3%A4ssword&b, p%25C3%25A4ssword', ['pässword'], '?a=…&b, …'],
	['?a=ab%09cd', ['ab\tcd'], '?a=…'],
	['in a&#45;bc and a&#x2d;bc and a&#x002D;bc', ['a-bc'], 'in … and … and …'],
	// The longest first.
	['x-longer-y-long', ['long', 'longer'], 'x-…-y-…'],
	['long longer', ['longer', 'long'], '… …'],
	// What only resembles a secret stays, and one of three characters would take out half of every text.
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
