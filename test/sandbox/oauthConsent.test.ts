import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { press, visit } from './browser';
import { partnerApp, pkce } from './oauthClient';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});

const { challenge } = pkce();

/** The address that an app sends the user to, with `rest` as it is. */
function authorizeUrl(changes: Record<string, string | undefined> = {}, rest = ''): string {
	return `${partnerApp(sandbox).authorizeUrl(changes).href}${rest}`;
}

test('the page names the app, says in words what it may do, and lets the user decide', async () => {
	const page = await visit(authorizeUrl({ state: 'xyz' }));
	expect(page.status).toBe(200);
	expect(page.headers['content-type']).toMatch(/^text\/html/);
	expect(page.html).toMatch(/Sandbox Partner App asks for access/);
	expect(page.html).toMatch(/register and unregister people/);
	expect(page.html).toMatch(/events:write/);
	expect(page.html).toMatch(/webhooks:write/);
	expect(page.html).not.toMatch(/admin:|identity:|full:/);
	expect(page.form?.decisions).toEqual(['deny', 'allow']);
});

test('the page cannot be framed, cached or made to run anything', async () => {
	const { headers } = await visit(authorizeUrl());
	const policy = String(headers['content-security-policy']);
	expect(policy).toMatch(/default-src 'none'/);
	expect(policy).toMatch(/frame-ancestors 'none'/);
	expect(policy).not.toMatch(/unsafe|script-src/);
	expect(policy).toContain(`form-action 'self' ${new URL(sandbox.redirectUri).origin}`);
	expect(headers).toMatchObject({
		'x-frame-options': 'DENY',
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-store',
		'referrer-policy': 'same-origin',
	});
	expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
});

test('the only style that the policy lets in is the one on the page', async () => {
	const { html, headers } = await visit(authorizeUrl());
	const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
	const hash = createHash('sha256').update(style).digest('base64');
	expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
});

test('Allow leads back to the app with a code', async () => {
	const { status, sentTo } = await press(await visit(authorizeUrl({ state: 'xyz' })), 'allow');
	expect(status).toBe(302);
	expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(sandbox.redirectUri);
	expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code', 'state']);
	expect(sentTo?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
});

test('Deny leads back without one', async () => {
	const { sentTo } = await press(await visit(authorizeUrl({ state: 'xyz' })), 'deny');
	expect(sentTo?.searchParams.get('error')).toBe('access_denied');
	expect(sentTo?.searchParams.get('state')).toBe('xyz');
	expect(sentTo?.searchParams.has('code')).toBe(false);
});

test('without a state none comes back', async () => {
	const { sentTo } = await press(await visit(authorizeUrl()), 'allow');
	expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code']);
	const { sentTo: empty } = await press(await visit(authorizeUrl({}, '&state=')), 'allow');
	expect(empty?.searchParams.has('state')).toBe(false);
});

test.each([
	'a+b',
	'a%20b',
	'a%2Bb%2fc%3D%3D',
	'%7B%22token%22%3A%22x%22%7D',
	'%C3%A9%E2%82%AC%F0%9F%98%80',
	'%FF%FE%00',
	'a%0D%0ASet-Cookie:%20x=y',
	'%26code=stolen%23',
	'();:@!$*,~._-',
	'x'.repeat(4000),
])('the state %p comes back byte for byte', async (state) => {
	for (const decision of ['allow', 'deny']) {
		const page = await visit(authorizeUrl({}, `&state=${state}`));
		const { headers } = await raw(page.form?.action, {
			cookie: page.form?.cookie ?? '',
			body: new URLSearchParams({ ...page.form?.hidden, decision }).toString(),
		});
		expect(headers.location).toMatch(/^http:\/\/localhost:5678\//);
		expect(headers.location?.split('&state=')[1]).toBe(state);
		expect(headers['set-cookie']).toBeUndefined();
	}
});

/** A form sent with the headers that one likes, and the answer's headers as they came. */
function raw(
	url: URL | undefined,
	{ body = '', cookie = '' }: { body?: string; cookie?: string },
): Promise<{ status: number; headers: Record<string, string | undefined>; text: string }> {
	return new Promise((answered, failed) => {
		const headers = {
			'content-type': 'application/x-www-form-urlencoded',
			'content-length': body.length,
			...(cookie ? { cookie } : {}),
		};
		request(url ?? '', { method: 'POST', headers }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.on('end', () =>
				answered({
					status: response.statusCode ?? 0,
					headers: response.headers as Record<string, string | undefined>,
					text,
				}),
			);
		})
			.on('error', failed)
			.end(body);
	});
}

describe('what the user is told, because the app cannot be trusted with an answer', () => {
	test.each([
		['no client_id', { client_id: undefined }, /client_id is missing/],
		['an unknown app', { client_id: 'other' }, /no app with the client_id other/],
		['no redirect_uri', { redirect_uri: undefined }, /redirect_uri is missing/],
		[
			'another redirect_uri',
			{ redirect_uri: 'https://attacker.example/' },
			/not the one registered/,
		],
		['no scope', { scope: undefined }, /No scope/],
		['fewer scopes', { scope: 'events:write' }, /must be the same/],
		['more scopes', { scope: 'events:write webhooks:write admin:read' }, /must be the same/],
		['another scope', { scope: 'events:read webhooks:write' }, /must be the same/],
		['an unknown scope', { scope: 'events:write webhooks:delete' }, /Unknown scope/],
		['a forbidden combination', { scope: 'full:write events:write' }, /cannot be combined/],
		['another one', { scope: 'full:read events:read' }, /individual write scopes/],
	])('%s', async (_, changes, words) => {
		const page = await visit(authorizeUrl({ state: 'xyz', ...changes }));
		expect(page.status).toBe(400);
		expect(page.sentTo).toBeUndefined();
		expect(page.html).toMatch(words);
		expect(page.form).toBeUndefined();
		expect(page.headers['x-frame-options']).toBe('DENY');
	});

	test.each([
		'http://localhost:5678/rest/oauth2-credential/callback/',
		'http://localhost:5678/rest/oauth2-credential/callback?x=1',
		'http://localhost:5678/rest/oauth2-credential/callback#x',
		'http://localhost:5678/rest/oauth2-credential/../callback',
		'http://LOCALHOST:5678/rest/oauth2-credential/callback',
		'http://localhost:5678/rest/oauth2-credential/CALLBACK',
		'https://localhost:5678/rest/oauth2-credential/callback',
		'http://localhost:5678@attacker.example/rest/oauth2-credential/callback',
		'javascript:alert(1)',
		'//attacker.example',
	])('a redirect_uri that nearly equals: %s', async (redirectUri) => {
		const page = await visit(authorizeUrl({ redirect_uri: redirectUri }));
		expect([page.status, page.sentTo, page.form]).toEqual([400, undefined, undefined]);
		expect(page.html).toContain('redirect_uri');
	});

	test('a parameter that is given twice', async () => {
		const page = await visit(authorizeUrl({}, '&redirect_uri=https://attacker.example/'));
		expect(page.status).toBe(400);
		expect(page.html).toMatch(/redirect_uri is given more than once/);
	});
});

test('the scopes match in any order', async () => {
	const page = await visit(authorizeUrl({ scope: 'webhooks:write events:write' }));
	expect([page.status, page.form?.decisions]).toEqual([200, ['deny', 'allow']]);
});

test.each([
	[{ response_type: undefined }, 'invalid_request', /response_type is missing/],
	[{ response_type: 'token' }, 'unsupported_response_type', /only response_type is code/],
	[
		{ code_challenge: challenge, code_challenge_method: 'S512' },
		'invalid_request',
		/S256 or plain/,
	],
	[{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request', /43 to 128/],
	[{ code_challenge_method: 'S256' }, 'invalid_request', /without a code_challenge/],
])('other mistakes are reported to the app: %j', async (changes, error, description) => {
	const { status, sentTo } = await visit(authorizeUrl({ state: 'a b', ...changes }));
	expect(status).toBe(302);
	expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(sandbox.redirectUri);
	expect(sentTo?.searchParams.get('error')).toBe(error);
	expect(sentTo?.searchParams.get('error_description')).toMatch(description);
	expect(sentTo?.searchParams.get('state')).toBe('a b');
});

test.each<Record<string, string>>([
	{ client_id: '<script>alert(1)</script>' },
	{ redirect_uri: '"><img src=x onerror=alert(1)>' },
	{ scope: `'><svg onload=alert(1)>` },
])('what the app sends is text on the page: %j', async (changes) => {
	const { html } = await visit(authorizeUrl(changes));
	expect(html).not.toMatch(/<script|<img|<svg onload/);
	expect(html).toMatch(/&lt;/);
});

test('a state that tries to leave its attribute stays in it', async () => {
	const page = await visit(`${authorizeUrl()}&state="><script>alert(1)</script>`);
	expect(page.html).not.toMatch(/<script/);
	expect(page.form?.decisions).toEqual(['deny', 'allow']);
});

describe('a decision counts only from the page it was made on', () => {
	test.each([
		['without the hidden field', { csrf: '' }, true],
		['with a made-up field', { csrf: 'AAAA' }, true],
		['without the cookie', {}, false],
	])('%s', async (_, hidden, withCookie) => {
		const { form } = await visit(authorizeUrl());
		const { status, headers } = await raw(form?.action, {
			cookie: withCookie ? form?.cookie : undefined,
			body: new URLSearchParams({ ...form?.hidden, ...hidden, decision: 'allow' }).toString(),
		});
		expect(status).toBe(403);
		expect(headers.location).toBeUndefined();
	});

	test('not from the page for another request', async () => {
		const { form } = await visit(authorizeUrl({ state: 'mine' }));
		const other = new URL(authorizeUrl({ state: 'theirs' }));
		const body = new URLSearchParams({ ...form?.hidden, decision: 'allow' }).toString();
		expect((await raw(other, { cookie: form?.cookie, body })).status).toBe(403);
	});

	test('not from the page of another browser', async () => {
		const [mine, theirs] = await Promise.all([visit(authorizeUrl()), visit(authorizeUrl())]);
		const body = new URLSearchParams({ ...theirs.form?.hidden, decision: 'allow' }).toString();
		expect((await raw(mine.form?.action, { cookie: mine.form?.cookie, body })).status).toBe(403);
	});

	test('and only when it is Allow or Deny', async () => {
		const { form } = await visit(authorizeUrl());
		const body = new URLSearchParams({ ...form?.hidden, decision: 'perhaps' }).toString();
		const { status, text } = await raw(form?.action, { cookie: form?.cookie, body });
		expect(status).toBe(400);
		expect(text).toMatch(/Allow or Deny/);
	});
});
