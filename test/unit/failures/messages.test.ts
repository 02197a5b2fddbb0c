import fc from 'fast-check';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { readErrors } from '../../../nodes/EventPlatform/core/dialect/errors';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { failureText, type About } from '../../../nodes/EventPlatform/core/failures/messages';

const get = { method: 'GET', path: '/sessions/s1' } as const;
const post = { method: 'POST', path: '/sessions/s1/people' } as const;
const events: About = { scope: 'events' };
const exists = { title: 'The person is registered', description: 'Choose another.' };

const messages: Array<[Cause, title: string, advice: RegExp, about?: About]> = [
	[
		'unauthorized',
		'The platform did not accept the credential',
		/token may be mistyped or deleted/,
	],
	['unauthorized', 'The platform did not accept the credential', /events:write is missing/, events],
	['reconnect', 'The credential has to be connected again', /revoked.*Open the credential/],
	['missing_scope', 'The token lacks a scope', /Edit the scopes.*connect it again/],
	['missing_scope', 'The token lacks the scope events:write', /connect it again/, events],
	['workspace_blocked', 'The workspace is blocked', /^Ask the workspace's owner.*unblock access/],
	['forbidden', 'The platform refused access', /no reason.*lacks the scope events:write/, events],
	[
		'allowance_spent',
		"The workspace's allowance of active contacts is used up",
		/^Nobody else can be registered until it is renewed/,
	],
	['not_found', 'The platform cannot find what the request asked for', /^Check the ID/],
	['not_found', 'The platform cannot find the job', /^Check the ID/, { what: 'the job' }],
	['page_out_of_range', 'The page does not exist', /became shorter.*Run the node again/],
	['nothing_or_filter', 'The platform found nothing or rejected a filter', /one by one/],
	['already_exists', 'It already exists on the platform', /give another name/],
	['already_exists', 'The person is registered', /^Choose another\.$/, { exists }],
	['refused', 'The platform refused the request as invalid', /^Check the values of this item/],
	['unprocessable', 'The rules of the platform forbid this', /^Check the values of this item/],
	[
		'rate_limited',
		'The platform is receiving too many requests with this token',
		/^Other workflows or programs/,
	],
	[
		'quota_spent',
		"The month's requests to the platform are used up",
		/^Requests work again when the month is over\. .*add-on/,
	],
	['platform_error', 'The platform answered with a server error', /status\.livestorm\.co/],
	['unconfirmed', 'The connection broke before the platform answered', /may or may not have acted/],
	[
		'unreachable',
		'The platform cannot be reached',
		/^Check the 'Base URL'.*Nothing was changed\.$/,
	],
	[
		'not_from_api',
		'Something other than the API of the platform refused the request',
		/proxy.*people and the values in the request are not the cause/,
	],
	[
		'not_json',
		'The platform answered with something other than JSON, such as an HTML page',
		/not the website.*a proxy/,
	],
	[
		'unexpected_shape',
		'The answer of the platform does not have the expected form',
		/the platform may have changed/,
	],
	['incomplete_list', 'The platform left out a part of the list', /^Nothing of the list was used/],
	['time_over', 'The time ran out before the request could be sent', /^Allow more time/],
];

test.each(messages)('%s is said in words: %s', (cause, title, advice, about = {}) => {
	const said = failureText(new Failure(cause, post), about);
	expect(said.title).toBe(title);
	expect(said.description).toMatch(advice);
	expect(failureText(new Failure(cause, post, { status: 499 }), about).title).toMatch(/ \(499\)$/);
});

const causes = new Set([...messages.map(([cause]) => cause), 'no_endpoint', 'session_closed']);

test.each([...causes] as Cause[])('%s tells what happened and what to do', (cause) => {
	for (const request of [get, post]) {
		const { title, description } = failureText(new Failure(cause, request));
		expect(title).toMatch(/^[A-Z].{10,}[^.]$/);
		expect(description).toMatch(/^[A-Z].{20,}\.$/);
	}
});

test('a refused access that names a reason is not told to have none', () => {
	const errors = [{ detail: 'This email domain is blocked' }];
	const { description } = failureText(new Failure('forbidden', post, { errors }), events);
	expect(description).toMatch(
		/^The platform said: This email domain is blocked\. If that does not say why, usually the cred/,
	);
});

test.each(['unauthorized', 'missing_scope', 'forbidden'] as const)(
	'the advice after %s is that of the credential',
	(cause) => {
		const adviceFor = (credential: 'apiToken' | 'oAuth2') =>
			failureText(new Failure(cause, post), { ...events, credential }).description;
		expect(adviceFor('apiToken')).toContain('Edit the scopes of the API token');
		expect(adviceFor('apiToken')).not.toMatch(/OAuth2|connect/);
		expect(adviceFor('oAuth2')).toContain('Choose the scope in the OAuth2 credential');
		expect(adviceFor('oAuth2')).not.toContain('API token');
	},
);

test.each([
	['/webhooks', 'webhooks'],
	['/people_attributes', 'people attributes'],
	['/me', 'the connected user'],
])('where GET %s is a 404, the platform has no endpoint for %s', (path, name) => {
	const failure = new Failure('no_endpoint', { method: 'GET', path }, { status: 404 });
	const { title, description } = failureText(failure, { what: 'the webhook' });
	expect(title).toBe(`This platform has no endpoint for ${name} (404)`);
	expect(description).toMatch(`It does not know GET ${path}, so this operation cannot`);
	expect(description).not.toContain('Check the ID');
});

test.each([
	['GET', '/sessions/s1/questions', false],
	['GET', '/jobs/j1/tasks', false],
	['POST', '/sessions/s1/people/bulk', false],
	['POST', '/sessions/s1/people', false],
	['GET', '/sessions/s1/people', true],
	['GET', '/events/e1', true],
	['DELETE', '/webhooks/w1', true],
] as const)('a 404 to %s %s may be about the operation: %s', (method, path, mayBe) => {
	const { description } = failureText(new Failure('not_found', { method, path }));
	expect(description.includes('this platform does not have this operation')).toBe(mayBe);
});

test('a 402 is said once', () => {
	const errors = [{ detail: 'The allowance is used up: nobody can be registered.' }];
	const said = failureText(new Failure('allowance_spent', post, { status: 402, errors }));
	expect(JSON.stringify(said).match(/used up/g)).toHaveLength(1);
});

test.each([
	['ECONNREFUSED', 'Nothing answers at X'],
	['ENOTFOUND', 'The host of X is not known'],
	['EAI_AGAIN', 'The host of X is not known'],
	['EPROTO', 'There is no HTTPS at X'],
	['CERT_HAS_EXPIRED', 'The certificate of X is not trusted'],
	['SsrfBlockedIpError', 'n8n forbids connections to X'],
	['EHOSTUNREACH', 'The platform cannot be reached'],
	['XECONNREFUSED', 'The platform cannot be reached'],
])('what the network calls %s is said in words', (code, title) => {
	const failure = new Failure('unreachable', get, { errors: [{ code }] });
	const said = failureText(failure);
	expect(said.title).toBe(title.replace('X', "the 'Base URL' of the credential"));
	expect(said.description.includes('write http:// instead of https://')).toBe(code === 'EPROTO');
	const oAuth2 = failureText(failure, { credential: 'oAuth2' });
	const either = "the 'Base URL' or the 'Authorization Server URL' of the credential";
	expect(oAuth2.title).toBe(title.replace('X', either));
	const ofToken = failureText(failure, { credential: 'apiToken' });
	expect(ofToken.title).toBe(said.title);
	const namesServer = [said, oAuth2, ofToken].map(({ description }) =>
		/With OAuth2 the same goes for its 'Authorization Server URL'\./.test(description),
	);
	expect(namesServer).toEqual([true, true, false]);
	const after = failureText(failure, { mayHaveChanged: true }).description;
	expect(after).not.toContain('Nothing was changed');
});

test.each<[Cause, string]>([
	['unconfirmed', 'The network said: Why. · So. '],
	['unreachable', 'The network said: Why. · So. '],
	['reconnect', 'The reason given: Why. · So. '],
	['incomplete_list', 'What is missing: Why. · So. '],
	['platform_error', 'The platform said: Why. · So. '],
])('of %s it is said who gave the reason', (cause, said) => {
	const errors = [{ title: 'Why' }, {}, { title: 'So' }];
	const { description } = failureText(new Failure(cause, get, { errors }));
	expect(description.slice(0, said.length)).toBe(said);
	expect(failureText(new Failure(cause, get)).description).not.toContain(said.slice(0, 10));
});

test.each<[Cause, number | undefined, string]>([
	['rate_limited', 0, 'Try again after 1970-01-01 at 00:00 UTC. Other workflows'],
	['not_from_api', 0, 'Try again after 1970-01-01 at 00:00 UTC. A proxy'],
	['not_from_api', undefined, 'A proxy'],
	['quota_spent', 253_370_764_799_999, 'Requests work again on 9998-12-31 at 23:59 UTC.'],
	['quota_spent', 253_370_764_800_000, 'Requests work again on an unknown day. More requests'],
])('%s until %p: when it works again', (cause, retryAt, words) => {
	const { description } = failureText(new Failure(cause, get, { retryAt }));
	expect(description.slice(0, words.length)).toBe(words);
});

test('an address that leads elsewhere is to be entered', () => {
	const said = failureText(new Failure('unexpected_shape', get, { status: 302 }));
	expect(said.title).toBe('The platform answered with a redirect (302)');
	expect(said.description).toMatch(/^Enter the address it leads to as the 'Base URL'/);
	const refusal = failureText(new Failure('unexpected_shape', get, { status: 400 }));
	expect(refusal.title).toMatch(/^The answer of the platform does not have the expected form/);
});

test('of a server error it is said until when the platform asks to wait', () => {
	const { description } = failureText(new Failure('platform_error', get, { retryAt: 0 }));
	expect(description).toMatch(/Try again after 1970-01-01 at 00:00 UTC\.$/);
});

test.each<[Cause, reading: string, writing: string]>([
	['platform_error', 'Try again later.', 'Check whether the change was made'],
	['unconfirmed', 'Try again later.', 'The platform may or may not have acted. Check whether'],
	['not_json', '', ' The change may have been made'],
	['unexpected_shape', '', ' The change may have been made'],
])('%s of reading costs nothing, of writing it has to be looked for', (cause, reading, writing) => {
	const read = failureText(new Failure(cause, get)).description;
	const written = failureText(new Failure(cause, post)).description;
	expect(read).toContain(reading);
	expect(read).not.toMatch(/change (?:was|may have been) made/);
	expect(written).toContain(writing);
});

test('after an update without an answer the record is to be read again', () => {
	const update = { method: 'PATCH', path: '/people/p1' } as const;
	const said = failureText(new Failure('unconfirmed', update));
	expect(said.description).toContain('Get the record again');
});

const invalid = 'The platform refused the request as invalid';

test.each([
	['Nine word', invalid],
	['x'.repeat(121), invalid],
	['  The name is too long.  ', 'The name is too long'],
	['{"name": "too long"}', invalid],
	['a first line\nand another', invalid],
])('"%s" makes the title "%s"', (detail, title) => {
	expect(failureText(new Failure('refused', post, { errors: [{ detail }] })).title).toBe(title);
});

test.each([
	[{ code: 'session_past' }, 'The session is over: nobody can register any more'],
	[{ code: 'session_canceled' }, 'The session was canceled: nobody can register any more'],
	[{ detail: 'The session is full.' }, 'The session is full: nobody else can register'],
])('a session that takes nobody any more (%j) is no matter of values', (error, title) => {
	const text = failureText(new Failure('session_closed', post, { errors: [error] }));
	expect(text.title).toBe(title);
	expect(text.description).toMatch(/^The platform said: .* Choose another session\.$/);
});

test.each<[object, string]>([
	[{ code: 'c', title: 'Unknown kind' }, 'Unknown kind [c]'],
	[{ code: 'c' }, 'c.'],
	[{ detail: 'Not here! No' }, 'Not here! No.'],
])('%j is quoted in whole sentences, and the job is named', (error, said) => {
	const failure = new Failure('unprocessable', post, { errors: [error] });
	const { description } = failureText(failure, { jobId: 'j 4' });
	expect(description.startsWith(`The platform said: ${said} Check the values`)).toBe(true);
	expect(description).toMatch(/ The job is j 4\.$/);
});

test.each([
	['needs admin:write', post, 'The token lacks the scope admin:write'],
	['needs a:read', get, 'The token lacks the scope events:read'],
])('"%s" names a scope by the word of the platform alone', (detail, request, title) => {
	const failure = new Failure('missing_scope', request, { errors: [{ detail }] });
	expect(failureText(failure, events).title).toBe(title);
});

test('errors are free of what logs a person in', () => {
	const names = fc.constantFrom('connection_link', 'password_key', 'access_token');
	fc.assert(
		fc.property(fc.stringMatching(/^[\w-]{12,40}$/), names, (value, name) => {
			const error = { detail: `${name}=${value}`, title: JSON.stringify({ [name]: value }) };
			const errors = readErrors({ errors: [error] });
			const { title, description } = failureText(new Failure('refused', post, { errors }));
			expect(title + description).not.toContain(value);
		}),
	);
});
