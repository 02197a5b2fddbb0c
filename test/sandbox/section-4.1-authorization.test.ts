import axios from 'axios';
import { request } from 'node:http';
import type { Access } from '../../sandbox/server';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { press, visit } from './browser';
import { partnerApp, type OAuthRefused, pkce, type Token } from './oauthClient';
import { openSandbox, type Visitor } from './visitor';

describe('the consent page', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
	});

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

	test('Allow leads back to the app with a code', async () => {
		const { status, sentTo } = await press(await visit(authorizeUrl({ state: 'xyz' })), 'allow');
		expect(status).toBe(302);
		expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(sandbox.redirectUri);
		expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code', 'state']);
		expect(sentTo?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
		expect(sentTo?.searchParams.get('state')).toBe('xyz');
	});

	test('without a state none comes back', async () => {
		const { sentTo } = await press(await visit(authorizeUrl()), 'allow');
		expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code']);
		const { sentTo: empty } = await press(await visit(authorizeUrl({}, '&state=')), 'allow');
		expect(empty?.searchParams.has('state')).toBe(false);
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
	});
});

describe('the exchange of a code', () => {
	let sandbox: TestSandbox;
	let app: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
		app = partnerApp(sandbox);
	});

	async function works(accessToken: string): Promise<boolean> {
		const headers = { Authorization: `Bearer ${accessToken}` };
		return (await sandbox.web.get('/v1/ping', { headers })).status === 200;
	}

	/** What a refused request is known by. */
	const refusal = ({ status, data }: { status: number; data: OAuthRefused }) => [
		status,
		data.error,
	];

	test('the way of n8n leads there too: a form body, with a verifier and the secret', async () => {
		const { verifier, challenge } = pkce();
		const code = await app.code({ code_challenge: challenge, code_challenge_method: 'S256' });
		const { status, data } = await app.exchange(code, { code_verifier: verifier }, 'form');
		expect(status).toBe(200);
		expect(await works(data.access_token)).toBe(true);
	});

	describe('PKCE', () => {
		const { verifier, challenge } = pkce();
		const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };

		test.each([
			['S256', s256],
			['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
			['plain, which is meant when nothing is said', { code_challenge: verifier }],
		])('%s: the verifier opens, another does not, and none does not', async (_, challenged) => {
			const right = await app.exchange(await app.code(challenged), { code_verifier: verifier });
			expect(right.status).toBe(200);
			const other = verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
			const wrong = await app.exchange(await app.code(challenged), { code_verifier: other });
			expect(refusal(wrong)).toEqual([400, 'invalid_grant']);
			const none = await app.exchange(await app.code(challenged));
			expect(refusal(none)).toEqual([400, 'invalid_grant']);
		});

		test('it is no substitute for the client secret', async () => {
			const proof = { code_verifier: verifier, client_secret: undefined };
			const answer = await app.exchange(await app.code(s256), proof);
			expect(refusal(answer)).toEqual([401, 'invalid_client']);
		});
	});

	describe('a code', () => {
		test('for another redirect URL is refused', async () => {
			const other = await app.exchange(await app.code(), {
				redirect_uri: 'https://other.example/',
			});
			expect(refusal(other)).toEqual([400, 'invalid_grant']);
			expect(other.data.error_description).toContain('redirect_uri');
		});
	});

	describe('the client', () => {
		test.each([
			['a wrong secret', { client_secret: 'wrong' }],
			['the start of the secret', { client_secret: 'sandbox-secre' }],
			['no secret', { client_secret: undefined }],
			['an empty secret', { client_secret: '' }],
			['another id', { client_id: 'other' }],
			['no id', { client_id: undefined }],
		])('with %s is a 401 invalid_client', async (_, changes) => {
			const code = await app.code();
			const answer = await app.exchange(code, changes);
			expect(refusal(answer)).toEqual([401, 'invalid_client']);
			expect(Object.keys(answer.data)).toEqual(['error', 'error_description']);
			// The code has not suffered.
			expect((await app.exchange(code)).status).toBe(200);
		});
	});
});

describe('the refresh', () => {
	// A process of its own takes its time to start.
	let sandbox: TestSandbox;
	let app: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
		app = partnerApp(sandbox);
	});

	async function connect(through: ReturnType<typeof partnerApp>): Promise<Token> {
		return (await through.exchange(await through.code())).data;
	}

	async function works({ baseUrl }: Access, accessToken: string): Promise<boolean> {
		const headers = { Authorization: `Bearer ${accessToken}` };
		const { status } = await axios.get(`${baseUrl}/v1/ping`, { headers, validateStatus: null });
		return status === 200;
	}

	test('a refresh gives a new access token and, without rotation, the same refresh token', async () => {
		const first = await connect(app);
		const { status, data } = await app.refresh(first.refresh_token);
		expect(status).toBe(200);
		expect(Object.keys(data).sort()).toEqual(Object.keys(first).sort());
		expect(data.access_token).not.toBe(first.access_token);
		expect(data.refresh_token).toBe(first.refresh_token);
		expect(data.scope).toBe(first.scope);
		expect(await works(sandbox, data.access_token)).toBe(true);
		expect((await app.refresh(first.refresh_token)).status).toBe(200);
	});

	describe('with --rotate-refresh', () => {
		let rotating: ReturnType<typeof partnerApp>;
		beforeAll(async () => {
			rotating = partnerApp(await sandboxForTests({ rotateRefresh: true }));
		});

		test('the old refresh token stops working at once', async () => {
			const first = await connect(rotating);
			const { data: second } = await rotating.refresh(first.refresh_token);
			expect(second.refresh_token).not.toBe(first.refresh_token);
			const { status, data } = await rotating.refresh(first.refresh_token);
			expect([status, data.error]).toEqual([400, 'invalid_grant']);
			expect((await rotating.refresh(second.refresh_token)).status).toBe(200);
		});
	});
});

describe('a wrong refresh', () => {
	let visitor: Visitor;
	let app: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		visitor = await openSandbox();
		app = partnerApp(visitor.sandbox);
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
});
