import { press, visit } from './browser';
import { partnerApp, pkce } from './oauthClient';
import { openSandbox, type Visitor } from './visitor';

let visitor: Visitor;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	visitor = await openSandbox();
	app = partnerApp(visitor.sandbox);
});

describe('GET /oauth/authorize', () => {
	test('shows a consent page that names the app, the scopes and both decisions', async () => {
		const page = await visit(app.authorizeUrl());
		expect(page.status).toBe(200);
		expect(page.headers['content-type']).toContain('text/html');
		expect(page.html).toContain('events:write');
		expect(page.html).toContain('webhooks:write');
		expect(page.form?.decisions).toEqual(['deny', 'allow']);
	});

	test('sends the browser back with a code and the state, unchanged', async () => {
		const state = 'a b+c/ä=&"<state>';
		const { status, sentTo } = await press(await visit(app.authorizeUrl({ state })), 'allow');
		expect(status).toBe(302);
		expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(visitor.sandbox.redirectUri);
		expect(sentTo?.searchParams.get('state')).toBe(state);
		expect(sentTo?.searchParams.get('code')).not.toBe('');
		expect([...(sentTo?.searchParams.keys() ?? [])].sort()).toEqual(['code', 'state']);
	});

	test('sends no state where none was given', async () => {
		const { sentTo } = await press(await visit(app.authorizeUrl()), 'allow');
		expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code']);
	});

	test('a user who denies is sent back without a code', async () => {
		const { sentTo } = await press(await visit(app.authorizeUrl({ state: 's' })), 'deny');
		expect(sentTo?.searchParams.get('error')).toBe('access_denied');
		expect(sentTo?.searchParams.get('state')).toBe('s');
		expect(sentTo?.searchParams.has('code')).toBe(false);
	});

	test.each([
		['client_id', undefined],
		['client_id', 'somebody-else'],
		['redirect_uri', undefined],
		['redirect_uri', 'https://evil.example/'],
		['redirect_uri', 'http://localhost:5678/rest/oauth2-credential/callback/'],
		['redirect_uri', 'http://localhost:5678/rest/oauth2-credential/callback?x=1'],
		['redirect_uri', 'http://localhost:5678/rest/oauth2-credential/CALLBACK'],
	])('with %s %s the user reads why, and the browser goes nowhere', async (name, value) => {
		const page = await visit(app.authorizeUrl({ [name]: value }));
		expect([page.status, page.sentTo, page.form]).toEqual([400, undefined, undefined]);
		expect(page.html).toContain(name);
	});

	test.each([
		['none', undefined],
		['fewer than configured', 'events:write'],
		['more than configured', 'events:write webhooks:write admin:read'],
		['others than configured', 'events:read webhooks:read'],
		['unknown ones', 'events:write webhooks:write cats:pet'],
	])('with scopes that are %s the user sees an error', async (_, scope) => {
		const page = await visit(app.authorizeUrl({ scope }));
		expect([page.status, page.sentTo, page.form]).toEqual([400, undefined, undefined]);
	});

	test('the order of the scopes does not matter', async () => {
		const page = await visit(app.authorizeUrl({ scope: 'webhooks:write events:write' }));
		expect(page.form?.decisions).toContain('allow');
	});

	test.each([
		['no response_type', { response_type: undefined }, 'invalid_request'],
		['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
		[
			'an unknown method',
			{ code_challenge: 'a'.repeat(43), code_challenge_method: 'MD5' },
			'invalid_request',
		],
		['a challenge too short', { code_challenge: 'short' }, 'invalid_request'],
	])('with %s the app is told', async (_, changes, error) => {
		const { status, sentTo } = await visit(app.authorizeUrl({ ...changes, state: 's' }));
		expect([status, sentTo?.searchParams.get('error')]).toEqual([302, error]);
		expect(sentTo?.searchParams.get('state')).toBe('s');
	});

	test('a decision without the page is worth nothing', async () => {
		const page = await visit(app.authorizeUrl());
		const forged = { ...page, form: page.form && { ...page.form, cookie: '' } };
		expect(await press(forged, 'allow')).toEqual({ status: 403 });
		const other = { ...page, form: page.form && { ...page.form, hidden: { csrf: 'guess' } } };
		expect(await press(other, 'allow')).toEqual({ status: 403 });
	});
});

describe('POST /oauth/token', () => {
	test.each(['query', 'form'] as const)('takes its parameters from the %s', async (where) => {
		const { status, data } = await app.exchange(await app.code(), {}, where);
		expect(status).toBe(200);
		expect((await app.refresh(data.refresh_token, {}, where)).status).toBe(200);
	});

	test.each([
		['query', 'form'],
		['form', 'query'],
	] as const)('told to read the %s, it does not read the %s', async (only, other) => {
		const strict = await openSandbox({ oauthParams: only });
		const strictApp = partnerApp(strict.sandbox);
		const code = await strictApp.code();
		expect((await strictApp.exchange(code, {}, other)).status).toBe(400);
		expect((await strictApp.exchange(code, {}, only)).status).toBe(200);
	});

	test('a code is good once', async () => {
		const code = await app.code();
		expect((await app.exchange(code)).status).toBe(200);
		const { status, data } = await app.exchange(code);
		expect([status, data.error]).toEqual([400, 'invalid_grant']);
	});

	test.each([
		['grant_type', undefined, 400, 'invalid_request'],
		['grant_type', 'password', 400, 'unsupported_grant_type'],
		['client_id', undefined, 401, 'invalid_client'],
		['client_id', 'somebody-else', 401, 'invalid_client'],
		['client_secret', undefined, 401, 'invalid_client'],
		['client_secret', 'a guess', 401, 'invalid_client'],
		['code', undefined, 400, 'invalid_request'],
		['code', 'a guess', 400, 'invalid_grant'],
		['redirect_uri', undefined, 400, 'invalid_request'],
		['redirect_uri', 'https://evil.example/', 400, 'invalid_grant'],
	])('%s %s is refused with %i %s', async (name, value, status, error) => {
		const code = await app.code();
		const answer = await app.exchange(code, { [name]: value });
		expect([answer.status, answer.data.error]).toEqual([status, error]);
		expect(answer.data.error_description).not.toBe('');
	});

	test.each([
		['refresh_token', undefined, 400, 'invalid_request'],
		['refresh_token', 'a guess', 400, 'invalid_grant'],
		['client_secret', 'a guess', 401, 'invalid_client'],
	])('a refresh with %s %s is refused with %i %s', async (name, value, status, error) => {
		const { data } = await app.exchange(await app.code());
		const answer = await app.refresh(data.refresh_token, { [name]: value });
		expect([answer.status, answer.data.error]).toEqual([status, error]);
	});

	test.each(['S256', 'plain'] as const)(
		'PKCE %s binds the code to its verifier',
		async (method) => {
			const { verifier, challenge } = pkce();
			const asked = {
				code_challenge: method === 'S256' ? challenge : verifier,
				code_challenge_method: method,
			};
			const attempts = [undefined, pkce().verifier];
			for (const wrong of attempts) {
				const answer = await app.exchange(await app.code(asked), { code_verifier: wrong });
				expect([answer.status, answer.data.error]).toEqual([400, 'invalid_grant']);
			}
			const answer = await app.exchange(await app.code(asked), { code_verifier: verifier });
			expect(answer.status).toBe(200);
		},
	);

	test('a challenge without a method is plain', async () => {
		const { verifier } = pkce();
		const code = await app.code({ code_challenge: verifier });
		expect((await app.exchange(code, { code_verifier: verifier })).status).toBe(200);
	});

	test('told to rotate, a refresh ends the refresh token that was used', async () => {
		const rotating = await openSandbox({ rotateRefresh: true });
		const rotatingApp = partnerApp(rotating.sandbox);
		const { data: first } = await rotatingApp.exchange(await rotatingApp.code());
		const { data: second } = await rotatingApp.refresh(first.refresh_token);
		expect(second.refresh_token).not.toBe(first.refresh_token);
		const again = await rotatingApp.refresh(first.refresh_token);
		expect([again.status, again.data.error]).toEqual([400, 'invalid_grant']);
	});

	test('otherwise the refresh token stays', async () => {
		const { data: first } = await app.exchange(await app.code());
		const { data: second } = await app.refresh(first.refresh_token);
		expect(second.refresh_token).toBe(first.refresh_token);
		expect((await app.refresh(first.refresh_token)).status).toBe(200);
	});
});
