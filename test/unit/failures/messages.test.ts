import fc from 'fast-check';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { readErrors } from '../../../nodes/EventPlatform/core/dialect/errors';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { meanings } from '../../../nodes/EventPlatform/core/failures/meaning';
import { failureText, type About } from '../../../nodes/EventPlatform/core/failures/messages';

const get = { method: 'GET', path: '/sessions/s1' } as const;
const post = { method: 'POST', path: '/sessions/s1/people' } as const;
const exists = { title: 'The person is registered', description: 'Choose another.' };

test.each<[Cause, string, string, About?]>([
	['workspace_blocked', 'The workspace is blocked', 'unblock access'],
	['missing_scope', 'The token lacks the scope events:write', 'connect it again'],
	['missing_scope', 'The token lacks a scope', 'connect it again', {}],
	[
		'unauthorized',
		'The platform did not accept the credential',
		'events:write is missing. Edit the scopes',
	],
	['already_exists', 'The person is registered', 'Choose another.', { exists }],
	['already_exists', 'It already exists on the platform', 'give another name'],
	['forbidden', 'The platform refused access', 'lacks the scope events:write, the workspace'],
	['page_out_of_range', 'The page does not exist', 'became shorter while it was read'],
	['reconnect', 'The credential has to be connected again', 'access was revoked, the token expi'],
	['unconfirmed', 'The connection broke before the platform answered', 'may or may not have acted'],
	['not_found', 'The platform cannot find the session', 'Check the ID', { what: 'the session' }],
	['not_found', 'The platform cannot find what the request asked for', 'Check the ID'],
	['nothing_or_filter', 'The platform found nothing or rejected a filter', 'one by one'],
])('%s is said in words', (cause, title, words, about = { scope: 'events' }) => {
	const said = failureText(new Failure(cause, post, { status: 400 }), about);
	expect(said.title).toBe(`${title} (400)`);
	expect(said.description).toContain(words);
});

describe.each(['unauthorized', 'missing_scope', 'forbidden'] as const)(
	'the advice after %s',
	(cause) => {
		const adviceFor = (credential: 'apiToken' | 'oAuth2') =>
			failureText(new Failure(cause, post, { status: 403 }), { scope: 'events', credential })
				.description;

		test('speaks of the token where the credential is one', () => {
			expect(adviceFor('apiToken')).toContain('Edit the scopes of the API token');
			expect(adviceFor('apiToken')).not.toMatch(/OAuth2|connect/);
		});

		test('speaks of the connection where the credential is OAuth2', () => {
			expect(adviceFor('oAuth2')).toContain('Choose the scope in the OAuth2 credential');
			expect(adviceFor('oAuth2')).not.toContain('API token');
		});
	},
);

test.each([
	['GET', '/webhooks', 'webhooks'],
	['POST', '/webhooks', 'webhooks'],
	['GET', '/people_attributes', 'people attributes'],
	['GET', '/me', 'the connected user'],
] as const)('where %s %s is a 404, the platform has no endpoint for %s', (method, path, name) => {
	const failure = new Failure('no_endpoint', { method, path }, { status: 404 });
	const { title, description } = failureText(failure, { what: 'the webhook' });
	expect(title).toBe(`This platform has no endpoint for ${name} (404)`);
	expect(description).toMatch(`It does not know ${method} ${path}, so this operation cannot`);
	expect(description).toContain("check the 'Base URL'");
	expect(description).not.toContain('Check the ID');
});

const bothCauses = ' If it is so with every ID, this platform does not have this operation.';

test.each([
	['GET', '/sessions/s1/questions', ''],
	['GET', '/jobs/j1', ''],
	['GET', '/jobs/j1/tasks', ''],
	['POST', '/sessions/s1/people/bulk', ''],
	['POST', '/sessions/s1/people', ''],
	['GET', '/sessions/s1/people', bothCauses],
	['GET', '/events/e1', bothCauses],
	['DELETE', '/webhooks/w1', bothCauses],
] as const)('a 404 to %s %s may be about the id, or not', (method, path, more) => {
	const { description } = failureText(new Failure('not_found', { method, path }));
	expect(description).toBe(
		`Check the ID: the record may have been deleted, or belong to another workspace.${more}`,
	);
});

test('a 402 is said once', () => {
	const errors = [{ detail: 'The allowance is used up: nobody can be registered.' }];
	const said = failureText(new Failure('allowance_spent', post, { status: 402, errors }));
	expect(JSON.stringify(said).match(/used up/g)).toHaveLength(1);
});

const similarCodes =
	'EHOSTUNREACH XECONNREFUSED ECONNREFUSEDX XENOTFOUND EAI_AGAINX XEPROTO EPROTOX';

test.each<[string, string]>([
	['ECONNREFUSED', 'Nothing answers at X'],
	['ENOTFOUND', 'The host of X is not known'],
	['EAI_AGAIN', 'The host of X is not known'],
	['EPROTO', 'There is no HTTPS at X'],
	['ERR_SSL_WRONG_VERSION', 'There is no HTTPS at X'],
	['CERT_HAS_EXPIRED', 'The certificate of X is not trusted'],
	['UNABLE_TO_VERIFY', 'The certificate of X is not trusted'],
	...similarCodes
		.split(' ')
		.map((code): [string, string] => [code, 'The platform cannot be reached']),
])('what the network calls %s is said in words', (code, title) => {
	const failure = new Failure('unreachable', get, { errors: [{ code }] });
	expect(failureText(failure).title).toBe(title.replace('X', "the 'Base URL' of the credential"));
	const { title: atRoot } = failureText(failure, { where: 'http://localhost:1/v1' });
	expect(atRoot).toBe(title.replace('X', 'http://localhost:1/v1'));
});

test.each<[Cause, string]>([
	['unconfirmed', 'The network said: Why. · So. '],
	['unreachable', 'The network said: Why. · So. '],
	['reconnect', 'The reason given: Why. · So. '],
	['platform_error', 'The platform said: Why. · So. '],
])('of %s it is said who gave the reason', (cause, said) => {
	const { description } = failureText(
		new Failure(cause, get, { errors: [{ title: 'Why' }, {}, { title: 'So' }] }),
	);
	expect(description.slice(0, said.length)).toBe(said);
	expect(description.slice(said.length)).toMatch(/^[A-Z]/);
	expect(failureText(new Failure(cause, get)).description).not.toContain('said: ');
});

test.each<[Cause, number | undefined, string]>([
	['rate_limited', undefined, 'Other workflows'],
	['rate_limited', 0, 'Try again after 1970-01-01 at 00:00 UTC. Other workflows'],
	['quota_spent', undefined, 'Requests work again when the month is over. More requests'],
	['quota_spent', 253_370_764_799_999, 'Requests work again on 9998-12-31 at 23:59 UTC.'],
	['quota_spent', 253_370_764_800_000, 'Requests work again on an unknown day. More requests'],
])('%s until %p: when it works again', (cause, retryAt, words) => {
	const { description } = failureText(new Failure(cause, get, { retryAt }));
	expect(description.slice(0, words.length)).toBe(words);
});

test('of a month that another request has heard of it is said when, and how to ask', () => {
	const heard = new Failure('quota_spent', get, { status: 429, heardAt: 0 });
	const { description } = failureText(heard);
	expect(description).toMatch(
		/^The platform said so on 1970-01-01 at 00:00 UTC, and this request was not sent\. .*'Ping'.* Requests work again/,
	);
	expect(failureText(new Failure('quota_spent', get)).description).toMatch(/^Requests work again/);
});

test.each([
	[300, 'The platform answered with a redirect (300)'],
	[400, 'The answer of the platform does not have the expected form (400)'],
])('what has no expected form with %i', (status, title) => {
	expect(failureText(new Failure('unexpected_shape', get, { status })).title).toBe(title);
});

test.each<[Cause, string, string]>([
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
	if (reading !== '') expect(written).not.toContain(reading);
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
	['v1.2 is too old', 'v1.2 is too old'],
	['{"name": "too long"}', invalid],
])('"%s" makes the title "%s"', (detail, title) => {
	expect(failureText(new Failure('refused', post, { errors: [{ detail }] })).title).toBe(title);
});

test.each([
	[{ code: 'session_past' }, 'The session is over: nobody can register any more'],
	[{ detail: 'The session has ended' }, 'The session is over: nobody can register any more'],
	[{ code: 'session_canceled' }, 'The session was canceled: nobody can register any more'],
	[{ detail: 'The session is full.' }, 'The session is full: nobody else can register'],
])('a session that takes nobody any more (%j) is no matter of values', (error, title) => {
	const text = failureText(new Failure('session_closed', post, { errors: [error] }));
	expect(text.title).toBe(title);
	expect(text.description).toMatch(/^The platform said: .* Choose another session\.$/);
});

const forbidden = 'The rules of the platform forbid this';

test.each<[object, string, string]>([
	[{ code: 'c', title: 'Unknown kind' }, 'Unknown kind', 'Unknown kind [c]'],
	[{ code: 'c' }, forbidden, 'c.'],
	[{ detail: 'Not here! No' }, 'Not here! No', 'Not here! No.'],
	[{ detail: 'a first line\nb' }, forbidden, 'a first line\nb.'],
])('%j is quoted in whole sentences', (error, title, said) => {
	const failure = new Failure('unprocessable', post, { errors: [error] });
	const text = failureText(failure, { jobId: 'j 4' });
	expect(text.title).toBe(title);
	expect(text.description.startsWith(`The platform said: ${said} Check the values`)).toBe(true);
	expect(text.description).toMatch(/ The job is j 4\.$/);
});

test.each([
	['needs admin:write', post, 'The token lacks the scope admin:write'],
	['needs admin:writer', post, 'The token lacks the scope events:write'],
	['needs a:read', get, 'The token lacks the scope events:read'],
])('"%s" names a scope by the word of the platform alone', (detail, request, title) => {
	const failure = new Failure('missing_scope', request, { errors: [{ detail }] });
	expect(failureText(failure, { scope: 'events' }).title).toBe(title);
});

test.each(Object.keys(meanings) as Cause[])('%s tells what happened and what to do', (cause) => {
	for (const request of [get, post]) {
		const { title, description } = failureText(new Failure(cause, request));
		expect(title).toMatch(/^[A-Z].{10,}[^.]$/);
		expect(description).toMatch(/^[A-Z].{20,}\.$/);
	}
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

test.each<[Cause, string, string]>([
	[
		'unauthorized',
		'The platform did not accept the credential',
		'Test the credential: the API token may be mistyped or deleted. The OAuth2 credential may need to be connected again. The platform may also say this when a scope is missing. Edit the scopes of the API token on the platform, under Public API in the account settings. Choose the scope in the OAuth2 credential and connect it again; the app on the platform needs the same scopes.',
	],
	[
		'reconnect',
		'The credential has to be connected again',
		"The platform did not renew the access: access was revoked, the token expired, or it was used twice. Open the credential and connect it. If that fails too, check client ID, client secret, scopes and 'Authorization Server URL'.",
	],
	[
		'missing_scope',
		'The token lacks a scope',
		'Edit the scopes of the API token on the platform, under Public API in the account settings. Choose the scope in the OAuth2 credential and connect it again; the app on the platform needs the same scopes.',
	],
	[
		'workspace_blocked',
		'The workspace is blocked',
		"Ask the workspace's owner, or the platform's support, to unblock access to the API.",
	],
	[
		'forbidden',
		'The platform refused access',
		"It gave no reason. Usually the credential lacks a scope, the workspace is blocked, or access to the API is not enabled for it. Edit the scopes of the API token on the platform, under Public API in the account settings. Choose the scope in the OAuth2 credential and connect it again; the app on the platform needs the same scopes. Ask the workspace's owner, or the platform's support, about the other two.",
	],
	[
		'allowance_spent',
		"The workspace's allowance of active contacts is used up",
		'Nobody else can be registered until it is renewed. The plan of the workspace decides how large it is.',
	],
	[
		'not_found',
		'The platform cannot find what the request asked for',
		'Check the ID: the record may have been deleted, or belong to another workspace. If it is so with every ID, this platform does not have this operation.',
	],
	[
		'no_endpoint',
		'This platform has no endpoint for s1',
		"It does not know GET /sessions/s1, so this operation cannot be used there. If other operations fail in the same way, check the 'Base URL' of the credential.",
	],
	[
		'session_closed',
		'The session is over: nobody can register any more',
		'Choose another session.',
	],
	[
		'page_out_of_range',
		'The page does not exist',
		'The list became shorter while it was read. Run the node again.',
	],
	[
		'nothing_or_filter',
		'The platform found nothing or rejected a filter',
		'Some platforms refuse a list without entries in the same way (400) as what they do not understand. Remove the filters and options one by one to see which it is.',
	],
	[
		'already_exists',
		'It already exists on the platform',
		'Use the existing one, or give another name.',
	],
	[
		'refused',
		'The platform refused the request as invalid',
		'Check the values of this item against what the platform said.',
	],
	[
		'unprocessable',
		'The rules of the platform forbid this',
		'Check the values of this item against what the platform said.',
	],
	[
		'rate_limited',
		'The platform is receiving too many requests with this token',
		'Other workflows or programs may be using the same token.',
	],
	[
		'quota_spent',
		"The month's requests to the platform are used up",
		'Requests work again when the month is over. More requests are an add-on of the plan.',
	],
	[
		'platform_error',
		'The platform answered with a server error',
		'The cause is on the side of the platform: see https://status.livestorm.co. Try again later.',
	],
	[
		'unconfirmed',
		'The connection broke before the platform answered',
		'Try again later. If it happens often, look at the connection between this n8n and the platform.',
	],
	[
		'unreachable',
		'The platform cannot be reached',
		"Check the 'Base URL' of the credential, and whether this n8n may connect to it. Nothing was changed.",
	],
	[
		'not_json',
		'The platform answered with something other than JSON, such as an HTML page',
		"Check that the 'Base URL' of the credential is the API and not the website. If it is, a proxy in between may be answering.",
	],
	[
		'unexpected_shape',
		'The answer of the platform does not have the expected form',
		"Check the 'Base URL' of the credential. If it is right, the platform may have changed.",
	],
	[
		'incomplete_list',
		'The platform left out a part of the list',
		'Nothing of the list was used, because it is not known what is missing. Run the node again.',
	],
	[
		'time_over',
		'The time ran out before the request could be sent',
		'Allow more time in the options, or work on fewer items at once.',
	],
])('of a read that failed, %s says "%s" and what to do', (cause, title, description) => {
	expect(failureText(new Failure(cause, get))).toMatchObject({ title, description });
});

test.each([
	[
		'EPROTO',
		false,
		"If HTTP is meant, as for the sandbox, write http:// instead of https://. Check the 'Base URL' of the credential, and whether this n8n may connect to it. Nothing was changed.",
	],
	[
		'ECONNREFUSED',
		true,
		"Check the 'Base URL' of the credential, and whether this n8n may connect to it.",
	],
])(
	'after %s, where something may have changed (%s), it is said what to check',
	(code, mayHaveChanged, advice) => {
		const failure = new Failure('unreachable', get, { errors: [{ code }] });
		const { description } = failureText(failure, mayHaveChanged ? { mayHaveChanged } : {});
		expect(description).toBe(`The network said: ${code}. ${advice}`);
	},
);

test('what is missing of a list is said as that', () => {
	const errors = [{ detail: 'Page 2 of 3 is empty.' }];
	const { description } = failureText(new Failure('incomplete_list', get, { errors }));
	expect(description).toBe(
		'What is missing: Page 2 of 3 is empty. Nothing of the list was used, because it is not known what is missing. Run the node again.',
	);
});

test('an address that leads elsewhere is to be entered', () => {
	const { description } = failureText(new Failure('unexpected_shape', get, { status: 302 }));
	expect(description).toBe(
		"Enter the address it leads to as the 'Base URL' of the credential. Redirects are not followed, so that the token goes nowhere else.",
	);
});
