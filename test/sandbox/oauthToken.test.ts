import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios, { type AxiosResponse } from 'axios';
import type { Access } from '../../sandbox/server';
import { responseProblems } from '../support/contract';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { press, visit } from './browser';

interface Tokens {
	access_token: string;
	token_type: string;
	expires_in: number;
	refresh_token: string;
	scope: string;
	created_at: number;
}
interface Refused {
	error: string;
	error_description: string;
}
type Answer = AxiosResponse<Tokens & Refused>;
type Parameters = Record<string, string>;

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});

const verifier = randomBytes(48).toString('base64url');
const s256 = createHash('sha256').update(verifier).digest('base64url');
const web = axios.create({ validateStatus: null });
// Whatever the token endpoint answers in these tests keeps the contract.
web.interceptors.response.use((answer) => {
	const { method, url = '' } = answer.config;
	if (method === 'post' && /\/oauth\/token\b/.test(url)) {
		expect(responseProblems('issueToken', answer.status, answer.data)).toEqual([]);
	}
	return answer;
});

/** A code that the user has just allowed. */
async function getCode(at: Access, challenge: Parameters = {}): Promise<string> {
	const url = new URL('/oauth/authorize', at.authServerUrl);
	url.search = new URLSearchParams({
		response_type: 'code',
		client_id: at.clientId,
		redirect_uri: at.redirectUri,
		scope: at.scope,
		...challenge,
	}).toString();
	const { sentTo } = await press(await visit(url), 'allow');
	return sentTo?.searchParams.get('code') ?? '';
}

function client({ clientId, clientSecret }: Access): Parameters {
	return { client_id: clientId, client_secret: clientSecret };
}

/** In the query string, as the specification has it. */
function post(at: Access, parameters: Parameters, headers = {}): Promise<Answer> {
	return web.post(`${at.authServerUrl}/oauth/token`, undefined, { params: parameters, headers });
}

/** In a form body, as n8n does it. */
function postForm(at: Access, parameters: Parameters): Promise<Answer> {
	return web.post(`${at.authServerUrl}/oauth/token`, new URLSearchParams(parameters));
}

function exchange(at: Access, code: string, more: Parameters = {}): Promise<Answer> {
	const { redirectUri } = at;
	const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
	return post(at, { ...grant, ...client(at), ...more });
}

function refresh(at: Access, token: string, more: Parameters = {}): Promise<Answer> {
	return post(at, { grant_type: 'refresh_token', ...client(at), refresh_token: token, ...more });
}

async function connect(at: Access): Promise<Tokens> {
	return (await exchange(at, await getCode(at))).data;
}

async function works(at: Access, accessToken: string): Promise<boolean> {
	const headers = { Authorization: `Bearer ${accessToken}` };
	return (await web.get(`${at.baseUrl}/v1/ping`, { headers })).status === 200;
}

test('a code is exchanged for exactly what section 2.5 says', async () => {
	const before = Math.floor(Date.now() / 1000);
	const { status, data, headers } = await exchange(sandbox, await getCode(sandbox));
	expect(status).toBe(200);
	expect(data).toEqual({
		access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
		token_type: 'Bearer',
		expires_in: 7200,
		refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
		scope: 'events:write webhooks:write',
		created_at: expect.any(Number) as number,
	});
	expect(Number.isInteger(data.created_at)).toBe(true);
	expect(data.created_at).toBeGreaterThanOrEqual(before);
	expect(headers['cache-control']).toBe('no-store');
	expect(await works(sandbox, data.access_token)).toBe(true);
	expect(await works(sandbox, data.refresh_token)).toBe(false);
});

describe('PKCE', () => {
	test.each([
		['S256', { code_challenge: s256, code_challenge_method: 'S256' }],
		['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
		['plain, which is meant when nothing is said', { code_challenge: verifier }],
	])('%s: the verifier opens, another does not, and none does not', async (_, challenge) => {
		const right = await exchange(sandbox, await getCode(sandbox, challenge), {
			code_verifier: verifier,
		});
		expect(right.status).toBe(200);
		const wrong = await exchange(sandbox, await getCode(sandbox, challenge), {
			code_verifier: verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
		});
		expect([wrong.status, wrong.data.error]).toEqual([400, 'invalid_grant']);
		const none = await exchange(sandbox, await getCode(sandbox, challenge));
		expect([none.status, none.data.error]).toEqual([400, 'invalid_grant']);
	});

	test('a challenge by S256 is not its own verifier', async () => {
		const code = await getCode(sandbox, { code_challenge: s256, code_challenge_method: 'S256' });
		expect((await exchange(sandbox, code, { code_verifier: s256 })).status).toBe(400);
	});

	test('it is no substitute for the client secret', async () => {
		const code = await getCode(sandbox, { code_challenge: s256, code_challenge_method: 'S256' });
		const { status, data } = await exchange(sandbox, code, {
			code_verifier: verifier,
			client_secret: '',
		});
		expect([status, data.error]).toEqual([401, 'invalid_client']);
	});

	test('a verifier without a challenge is refused', async () => {
		const { data } = await exchange(sandbox, await getCode(sandbox), { code_verifier: verifier });
		expect(data.error).toBe('invalid_grant');
	});
});

describe('a code', () => {
	test('that is used twice is refused, and what it gave is revoked', async () => {
		const code = await getCode(sandbox);
		const { data } = await exchange(sandbox, code);
		expect(await works(sandbox, data.access_token)).toBe(true);
		const again = await exchange(sandbox, code);
		expect([again.status, again.data.error]).toEqual([400, 'invalid_grant']);
		expect(await works(sandbox, data.access_token)).toBe(false);
		expect((await refresh(sandbox, data.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('that is used by twenty at once gives nobody a token that works', async () => {
		const code = await getCode(sandbox);
		const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(sandbox, code)));
		const issued = answers.filter(({ status }) => status === 200);
		expect(issued.length).toBeLessThanOrEqual(1);
		for (const { data } of issued) expect(await works(sandbox, data.access_token)).toBe(false);
	});

	test('is good for some minutes only', async () => {
		const code = await getCode(sandbox);
		sandbox.platform.db.exec('UPDATE oauth_codes SET expires_at = expires_at - 290000');
		expect((await exchange(sandbox, code)).status).toBe(200);
		const late = await getCode(sandbox);
		sandbox.platform.db.exec('UPDATE oauth_codes SET expires_at = expires_at - 301000');
		const { status, data } = await exchange(sandbox, late);
		expect([status, data.error]).toEqual([400, 'invalid_grant']);
		expect(data.error_description).toMatch(/expired/);
	});

	test.each([
		['with another redirect_uri', { redirect_uri: 'https://attacker.example/' }, 'invalid_grant'],
		['without redirect_uri', { redirect_uri: '' }, 'invalid_request'],
		['with no code', { code: '' }, 'invalid_request'],
		['with another code', { code: 'x'.repeat(43) }, 'invalid_grant'],
		['with a code of odd characters', { code: 'é\u0000' }, 'invalid_request'],
	])('%s is refused', async (_, more, error) => {
		const { status, data } = await exchange(sandbox, await getCode(sandbox), more);
		expect([status, data.error]).toEqual([400, error]);
		expect(data.error_description).not.toBe('');
	});
});

describe('the client', () => {
	test.each([
		['a wrong secret', { client_secret: 'wrong' }],
		['the start of the secret', { client_secret: 'sandbox-secre' }],
		['no secret', { client_secret: '' }],
		['another id', { client_id: 'other' }],
		['no id', { client_id: '' }],
	])('with %s is a 401 invalid_client', async (_, more) => {
		const code = await getCode(sandbox);
		const { status, data } = await exchange(sandbox, code, more);
		expect([status, data.error]).toEqual([401, 'invalid_client']);
		expect(Object.keys(data)).toEqual(['error', 'error_description']);
		// The code has not suffered.
		expect((await exchange(sandbox, code)).status).toBe(200);
	});

	test('in a Basic header is refused with the reason', async () => {
		const { data: tokens } = await exchange(sandbox, await getCode(sandbox));
		const basic = `Basic ${btoa(`${sandbox.clientId}:${sandbox.clientSecret}`)}`;
		const { status, data } = await post(
			sandbox,
			{ grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
			{ Authorization: basic },
		);
		expect([status, data.error]).toEqual([401, 'invalid_client']);
		expect(data.error_description).toMatch(/client_id and client_secret as parameters/);
	});
});

test.each([
	['none', '', 'invalid_request'],
	['password', 'password', 'unsupported_grant_type'],
	['client_credentials', 'client_credentials', 'unsupported_grant_type'],
	['a prototype key', '__proto__', 'unsupported_grant_type'],
	['constructor', 'constructor', 'unsupported_grant_type'],
])('the grant type %s is refused', async (_, grantType, error) => {
	const { status, data } = await post(sandbox, { grant_type: grantType, ...client(sandbox) });
	expect([status, data.error]).toEqual([400, error]);
});

describe('where the parameters may stand', () => {
	const places = ['query', 'form', 'both'] as const;
	const told = {
		any: { query: 200, form: 200, both: 200 },
		query: { query: 200, form: 400, both: 400 },
		form: { query: 400, form: 200, both: 400 },
	};

	test.each(['any', 'query', 'form'] as const)('--oauth-params %s', async (oauthParams) => {
		const narrowed = await sandboxForTests({ oauthParams });
		for (const place of places) {
			const { data } = await narrowed.web.post<Tokens>('/_sandbox/oauth/issue', {});
			const rest = { grant_type: 'refresh_token', refresh_token: data.refresh_token };
			const url = `${narrowed.authServerUrl}/oauth/token`;
			const answer: Answer = await web.post(
				url,
				place === 'query'
					? undefined
					: new URLSearchParams(place === 'form' ? { ...rest, ...client(narrowed) } : rest),
				place === 'form'
					? {}
					: { params: place === 'query' ? { ...rest, ...client(narrowed) } : client(narrowed) },
			);
			expect([place, answer.status]).toEqual([place, told[oauthParams][place]]);
			if (answer.status === 400) expect(answer.data.error).toBe('invalid_request');
		}
	});

	test('a JSON body is refused in so many words', async () => {
		const parameters = { grant_type: 'refresh_token', refresh_token: 'x', ...client(sandbox) };
		const { status, data }: Answer = await web.post(
			`${sandbox.authServerUrl}/oauth/token`,
			parameters,
		);
		expect([status, data.error]).toEqual([400, 'invalid_request']);
		expect(data.error_description).toMatch(/x-www-form-urlencoded/);
	});

	test('a parameter given twice, or differently in two places, is refused', async () => {
		const url = `${sandbox.authServerUrl}/oauth/token`;
		const twice: Answer = await web.post(url, 'grant_type=a&grant_type=a');
		expect(twice.data).toMatchObject({ error: 'invalid_request' });
		expect(twice.data.error_description).toMatch(/more than once/);
		const twoMinds: Answer = await web.post(`${url}?grant_type=a`, 'grant_type=b');
		expect(twoMinds.data.error_description).toMatch(/differs/);
	});

	test.each(['{"broken', '%', '=&=&=', '\u0000', '__proto__=x', 'constructor[prototype]=x'])(
		'the form %p does no harm',
		async (body) => {
			const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
			const url = `${sandbox.authServerUrl}/oauth/token`;
			const { status, data }: Answer = await web.post(url, body, { headers });
			expect([400, 401]).toContain(status);
			expect(Object.keys(data)).toEqual(['error', 'error_description']);
		},
	);

	test('a GET is no way to get a token', async () => {
		const { status } = await web.get(`${sandbox.authServerUrl}/oauth/token`);
		expect(status).toBe(404);
	});
});

describe('refreshing', () => {
	test('gives a new access token and, without rotation, the same refresh token again', async () => {
		const first = await connect(sandbox);
		const { status, data } = await refresh(sandbox, first.refresh_token);
		expect(status).toBe(200);
		expect(Object.keys(data).sort()).toEqual(Object.keys(first).sort());
		expect(data.access_token).not.toBe(first.access_token);
		expect(data.refresh_token).toBe(first.refresh_token);
		expect(data.scope).toBe(first.scope);
		expect(await works(sandbox, data.access_token)).toBe(true);
		expect((await refresh(sandbox, first.refresh_token)).status).toBe(200);
	});

	test('with rotation the old refresh token stops working at once', async () => {
		const rotating = await sandboxForTests({ rotateRefresh: true });
		const first = await connect(rotating);
		const { data: second } = await refresh(rotating, first.refresh_token);
		expect(second.refresh_token).not.toBe(first.refresh_token);
		const old = await refresh(rotating, first.refresh_token);
		expect([old.status, old.data.error]).toEqual([400, 'invalid_grant']);
		expect((await refresh(rotating, second.refresh_token)).status).toBe(200);
	});

	test('with rotation only one of twenty at once gets through', async () => {
		const rotating = await sandboxForTests({ rotateRefresh: true });
		const { refresh_token: token } = await connect(rotating);
		const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(rotating, token)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	});

	test('never gives more than was granted', async () => {
		const { refresh_token: token } = await connect(sandbox);
		const more = await refresh(sandbox, token, { scope: 'events:write admin:write' });
		expect([more.status, more.data.error]).toEqual([400, 'invalid_scope']);
		const less = await refresh(sandbox, token, { scope: 'events:write' });
		expect(less.data.scope).toBe('events:write');
	});

	test('an access token refreshes nothing', async () => {
		const { access_token: token } = await connect(sandbox);
		expect((await refresh(sandbox, token)).data.error).toBe('invalid_grant');
	});

	test('after the user withdrew the consent it is over', async () => {
		const [one, other] = [await connect(sandbox), await connect(sandbox)];
		await sandbox.web.post('/_sandbox/oauth/revoke', { token: one.refresh_token });
		expect(await works(sandbox, one.access_token)).toBe(false);
		expect((await refresh(sandbox, one.refresh_token)).data.error).toBe('invalid_grant');
		expect(await works(sandbox, other.access_token)).toBe(true);
		await sandbox.web.post('/_sandbox/oauth/revoke', {});
		expect(await works(sandbox, other.access_token)).toBe(false);
	});
});

test('an access token ends after --token-ttl, and a refresh goes on from there', async () => {
	const brief = await sandboxForTests({ tokenTtl: 1 });
	const tokens = await connect(brief);
	expect(tokens.expires_in).toBe(1);
	while (await works(brief, tokens.access_token)) await new Promise((r) => setTimeout(r, 50));
	expect(Date.now()).toBeGreaterThanOrEqual((tokens.created_at + tokens.expires_in) * 1000);
	const headers = { Authorization: `Bearer ${tokens.access_token}` };
	const { data } = await brief.web.get<unknown>('/v1/ping', { headers });
	expect(JSON.stringify(data)).toMatch(/expired. Refresh it/);
	const { data: fresh } = await refresh(brief, tokens.refresh_token);
	expect(await works(brief, fresh.access_token)).toBe(true);
});

test('tests get tokens of any allowed scope and lifetime without a browser', async () => {
	const issue = (body: object) => sandbox.web.post<Tokens>('/_sandbox/oauth/issue', body);
	const { data } = await issue({ scope: 'admin:read', ttl: 60 });
	expect(data).toMatchObject({ scope: 'admin:read', expires_in: 60 });
	const { data: dead } = await issue({ ttl: 0 });
	expect(await works(sandbox, dead.access_token)).toBe(false);
	expect((await issue({ scope: 'full:write events:read' })).status).toBe(400);
	expect((await issue({ scope: 7 })).status).toBe(400);
	expect((await issue({ sope: 'events:read' })).status).toBe(400);
});

describe('on a disk', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-oauth-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('codes and tokens survive a kill, and none of them can be read there', async () => {
		const file = join(folder, 'killed.db');
		const { child, access } = await startProcess(file);
		const tokens = await connect(access);
		const code = await getCode(access);
		child.kill('SIGKILL');
		await once(child, 'exit');

		const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
		expect(stored.join('')).toContain('oauth_access_tokens');
		for (const secret of [tokens.access_token, tokens.refresh_token, code]) {
			expect(stored.join('')).not.toContain(secret);
		}
		const again = await sandboxForTests({ data: file });
		expect(await works(again, tokens.access_token)).toBe(true);
		expect((await refresh(again, tokens.refresh_token)).status).toBe(200);
		expect((await exchange(again, code)).status).toBe(200);
	});

	async function startProcess(file: string) {
		const root = join(__dirname, '../..');
		const options = ['--port', '0', '--data', file];
		const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...options], {
			cwd: root,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		return { child, access: JSON.parse(line.toString()) as Access };
	}
});

test('the form of n8n walks the whole way too', async () => {
	const code = await getCode(sandbox, { code_challenge: s256, code_challenge_method: 'S256' });
	const { status, data } = await postForm(sandbox, {
		grant_type: 'authorization_code',
		code,
		redirect_uri: sandbox.redirectUri,
		code_verifier: verifier,
		...client(sandbox),
	});
	expect(status).toBe(200);
	expect(await works(sandbox, data.access_token)).toBe(true);
});
