import fc from 'fast-check';
import { redact } from '../../../nodes/EventPlatform/core/values/redact';

test.each([
	['connectionLink=https://x.example/s1', 'connectionLink=…'],
	['"passwordKey": "s1"', '"passwordKey": "…"'],
	['PASSWORD_KEY=s1', 'PASSWORD_KEY=…'],
	['userPasswordKey=s1', 'userPasswordKey=…'],
	['connection-link: s1', 'connection-link: …'],
	['Connection Link: s1, and', 'Connection Link: … and'],
	['connection%5Flink=s1', 'connection%5Flink=…'],
	['password_key: "s1;s1", a: 1', 'password_key: "…", a: 1'],
	["password_key: 's1, s1&s1'", "password_key: '…'"],
	['"password_key":"s1\\"s1"', '"password_key":"…"'],
	['"{\\"password_key\\":\\"s1;s1\\",\\"a\\":1}"', '"{\\"password_key\\":\\"…\\",\\"a\\":1}"'],
	['connection_link=x.example/live?a=b&s=s1;s1', 'connection_link=…'],
	['connection_link: //x.example/live?a=b&s=s1', 'connection_link: …'],
	['"password_key" => "s1"', '"password_key" => "…"'],
	['attributes[password_key]=s1&a=b', 'attributes[password_key]=…&a=b'],
	['attributes%5Bpassword_key%5D=s1&a=b', 'attributes%5Bpassword_key%5D=…&a=b'],
	['"password_key": ["s1", "s1"]', '"password_key": …'],
	['"connection_link": {"href": "s1"}', '"connection_link": …'],
	['{"name":"password_key","value":"s1"}', '{"name":"password_key","value":"…"}'],
	[
		'{"id":"connection_link","type":"text","value":"s1&s1;s1"}',
		'{"id":"connection_link","type":"text","value":"…"}',
	],
	['{"value":"s1","id":"password_key"}', '{"value":"…","id":"password_key"}'],
	[
		'{"question":"connection_link","answer":"s1"},{"question":"city","answer":"Paris"}',
		'{"question":"connection_link","answer":"…"},{"question":"city","answer":"Paris"}',
	],
	['{"id":"password_key","value":["s1"]}', '{"id":"password_key","value":…}'],
	[
		'{\\"id\\":\\"password_key\\",\\"value\\":\\"s1\\"}',
		'{\\"id\\":\\"password_key\\",\\"value\\":\\"…\\"}',
	],
	[
		'{&quot;id&quot;:&quot;password_key&quot;,&quot;value&quot;:&quot;s1&quot;}',
		'{&quot;id&quot;:&quot;password_key&quot;,&quot;value&quot;:&quot;…&quot;}',
	],
	['<input name="password_key" value="s1">', '<input name="password_key" value="…">'],
	['<password_key>s1</password_key>', '<password_key>…</password_key>'],
	['&lt;password_key&gt;s1&lt;/password_key&gt;', '&lt;password_key&gt;…&lt;/password_key&gt;'],
	['app.example/live#key=s1', 'app.example/live#key=…'],
	['connection_link is https://x.example/s1', 'connection_link is …'],
	['the connection_link is "s1", as said', 'the connection_link is "…", as said'],
	['password_key is s1', 'password_key is …'],
	["access_token is 's1'", "access_token is '…'"],
	['password_key=s1&s1', 'password_key=…'],
	['password_key=s1& and', 'password_key=… and'],
	['password_key=s1&s1&a=b', 'password_key=…&a=b'],
	['accessToken=s1&refreshToken=s1', 'accessToken=…&refreshToken=…'],
	['client-secret: s1', 'client-secret: …'],
	['X-Api-Key: s1', 'X-Api-Key: …'],
])('%s is another spelling of what gives access, and is shown as %s', (text, clean) => {
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
	['password=hunter2&page=1', 'password=…&page=1'],
	['at /hook?key=ab_c-1&a=b and ?a&key=d', 'at /hook?key=…&a=b and ?a&key=…'],
	['API_TOKEN : abc; apitoken:def', 'API_TOKEN : …; apitoken:…'],
	['connection_link=https://x.example/?s=1&t=2;u=3, which', 'connection_link=… which'],
	['password=s1&connection_link=x.example', 'password=…&connection_link=…'],
	['{"connection_link":"https://x.example/?s=1&t=2;u=3"}', '{"connection_link":"…"}'],
	['"{\\"password_key\\":\\"s1\\"}"', '"{\\"password_key\\":\\"…\\"}"'],
	[
		'<a connection_link=&quot;https://x.example/?s=1&amp;t=2&quot;>',
		'<a connection_link=&quot;…&quot;>',
	],
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
	[`{'Authorization': 'Basic s1', secret\\u003ds2}`, `{'Authorization': '…', secret\\u003d…}`],
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
const each = (encode: (character: string) => string) => awkward.replace(/[^a-z]/g, encode);
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');

const named: Record<string, string> = {
	'"': '&quot;',
	"'": '&apos;',
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
};

test.each([
	['as it is', awkward],
	['for an address', encodeURIComponent(awkward)],
	['for an address, in lower case', encodeURIComponent(awkward).toLowerCase()],
	['for an address in an address', encodeURIComponent(encodeURIComponent(awkward))],
	['for a form', new URLSearchParams({ a: awkward }).toString().slice(2)],
	['for an address, each character', each((character) => `%${hex(character)}`)],
	['for JSON', JSON.stringify(awkward).slice(1, -1)],
	['for JSON in JSON', JSON.stringify(JSON.stringify(awkward)).slice(3, -3)],
	['for JSON, each character', each((character) => `\\u00${hex(character)}`)],
	['for HTML', each((character) => `&#${character.charCodeAt(0)};`)],
	['for HTML, in hexadecimals', each((character) => `&#x${hex(character)};`)],
	['for HTML, by name', each((character) => named[character] ?? character)],
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

test('a secret far too long for a pattern fails no text that does not hold all of it', () => {
	const pasted = `abc${'-'.repeat(1_000_000)}def`;
	expect(redact('abc and --', [pasted])).toBe('abc and --');
});

test('a secret that is too long for a pattern is removed all the same', () => {
	const secret = 'a-b1'.repeat(25_000);
	const clean = redact(`before ${encodeURIComponent(secret)} and ${secret} after`, [secret]);
	expect(clean).toMatch(/^before …+ and …+ after$/);
});

test.each([1_000, 1_001, 2_001, 3_500])(
	'a secret of %i characters takes no single letter out of the rest of a text',
	(length) => {
		const numbers = Array.from({ length }, (_, index) => index.toString(36));
		const secret = numbers.join('').slice(0, length);
		const last = secret.slice(-1);
		expect(redact(`${last} bad ${secret} ${last}`, [secret])).toMatch(/^\w bad …+ \w$/);
	},
);
