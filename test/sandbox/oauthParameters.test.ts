import axios, { type AxiosResponse } from 'axios';
import type { SandboxOptions } from '../../sandbox/options';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { type OAuthRefused, partnerApp } from './oauthClient';

let sandbox: TestSandbox;
let url: string;
beforeAll(async () => {
	sandbox = await sandboxForTests();
	url = `${sandbox.authServerUrl}/oauth/token`;
});

const post = (
	to: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<AxiosResponse<OAuthRefused>> => axios.post(to, body, { headers, validateStatus: null });

test.each([
	['none', undefined, 'invalid_request'],
	['password', 'password', 'unsupported_grant_type'],
	['client_credentials', 'client_credentials', 'unsupported_grant_type'],
	['a prototype key', '__proto__', 'unsupported_grant_type'],
	['constructor', 'constructor', 'unsupported_grant_type'],
])('the grant type %s is refused', async (_, grantType, error) => {
	const { status, data } = await partnerApp(sandbox).token({ grant_type: grantType });
	expect([status, data.error]).toEqual([400, error]);
});

type Places = Record<'query' | 'form' | 'both', number>;

test.each<[SandboxOptions['oauthParams'], Places]>([
	['any', { query: 200, form: 200, both: 200 }],
	['query', { query: 200, form: 400, both: 400 }],
	['form', { query: 400, form: 200, both: 400 }],
])('with --oauth-params %s the parameters may stand in %j', async (oauthParams, places) => {
	const narrowed = await sandboxForTests({ oauthParams });
	const { data } = await narrowed.web.post<{ refresh_token: string }>('/_sandbox/oauth/issue', {});
	const client = { client_id: narrowed.clientId, client_secret: narrowed.clientSecret };
	const grant = { grant_type: 'refresh_token', refresh_token: data.refresh_token };
	const text = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
	const to = `${narrowed.authServerUrl}/oauth/token`;
	const answers = {
		query: await post(`${to}?${text({ ...client, ...grant })}`),
		form: await post(to, text({ ...client, ...grant })),
		both: await post(`${to}?${text(client)}`, text(grant)),
	};
	for (const place of ['query', 'form', 'both'] as const) {
		const { status, data: refused } = answers[place];
		expect([place, status]).toEqual([place, places[place]]);
		if (status === 400) expect(refused.error).toBe('invalid_request');
	}
});

test('a JSON body is refused in so many words', async () => {
	const { status, data } = await post(url, { grant_type: 'refresh_token', refresh_token: 'x' });
	expect([status, data.error]).toEqual([400, 'invalid_request']);
	expect(data.error_description).toMatch(/x-www-form-urlencoded/);
});

test('a parameter given twice, or differently in two places, is refused', async () => {
	const twice = await post(url, 'grant_type=a&grant_type=a');
	expect(twice.data.error).toBe('invalid_request');
	expect(twice.data.error_description).toMatch(/more than once/);
	const twoMinds = await post(`${url}?grant_type=a`, 'grant_type=b');
	expect(twoMinds.data.error_description).toMatch(/differs/);
});

test.each(['{"broken', '%', '=&=&=', '\u0000', '__proto__=x', 'constructor[prototype]=x'])(
	'the form %p does no harm',
	async (body) => {
		const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
		const { status, data } = await post(url, body, headers);
		expect([400, 401]).toContain(status);
		expect(Object.keys(data)).toEqual(['error', 'error_description']);
	},
);

test('a body beyond 1 MiB is refused', async () => {
	expect((await post(url, `x=${'y'.repeat(1024 * 1024)}`)).status).toBe(413);
});

test('a GET is no way to get a token', async () => {
	expect((await sandbox.web.get('/oauth/token')).status).toBe(404);
});
