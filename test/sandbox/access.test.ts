import { request } from 'node:http';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { bearer, getAs } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

describe('by host', () => {
	/** As a browser would send it, with headers that no client library lets one set. */
	function send(path: string, more: Record<string, string>): Promise<number> {
		const { port } = new URL(sandbox.baseUrl);
		const host = (more.host ?? '127.0.0.1').concat(`:${port}`);
		const headers = { authorization: sandbox.apiToken, ...more, host };
		return new Promise((answered, failed) => {
			request({ host: '127.0.0.1', port, path, headers }, (response) => {
				response.resume();
				answered(response.statusCode ?? 0);
			})
				.on('error', failed)
				.end();
		});
	}

	test.each([
		['a name that was pointed at this machine', { host: 'attacker.example' }, 403, 403],
		['a name that starts like an address', { host: '127.0.0.1.attacker.example' }, 403, 403],
		['the form of another site', { origin: 'https://attacker.example' }, 403, 200],
		['a page of another port', { origin: 'http://127.0.0.1:1' }, 403, 200],
		['an image on another site', { 'sec-fetch-site': 'cross-site' }, 403, 200],
		['localhost', { host: 'localhost' }, 200, 200],
		['an IPv6 address', { host: '[::1]' }, 200, 200],
	])('%s', async (_, headers, own, api) => {
		for (const path of ['/', '/page/page.js', '/_sandbox/state', '/_sandbox/requests'])
			expect([path, await send(path, headers)]).toEqual([path, own]);
		for (const path of ['/v1/events', '/%761/events'])
			expect([path, await send(path, headers)]).toEqual([path, api]);
	});
});

describe('in the log', () => {
	const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };

	test('tokens can be told apart and are never told', async () => {
		const token = await bearer(sandbox);
		for (const sent of [token, token, sandbox.apiToken, 'Bearer wrong-token', undefined]) {
			await getAs(sandbox, sent, '/v1/ping');
		}
		const log = await sandbox.requests();
		expect(log.map(({ tokenKind }) => tokenKind)).toEqual([
			'access_token',
			'access_token',
			'api_token',
			'unknown',
			'none',
		]);
		const prints = log.map(({ fingerprint }) => fingerprint);
		expect(prints[0]).toBe(prints[1]);
		expect(new Set(prints).size).toBe(4);
		const text = JSON.stringify(log);
		for (const secret of [token.replace('Bearer ', ''), 'wrong-token', sandbox.apiToken]) {
			expect(text).not.toContain(secret);
		}
	});

	test('of OAuth requests only the names of the parameters are kept', async () => {
		await sandbox.web.post(
			'/oauth/token?client_id=some-client&client_secret=top-secret-1',
			'grant_type=refresh_token&refresh_token=top-secret-2',
			form,
		);
		await sandbox.web.get('/oauth/authorize?client_id=x&state=top-secret-3');
		await sandbox.web.post('/%6Fauth/token', 'code=top-secret-4', form);
		const log = await sandbox.requests();
		expect(log[0]?.oauth).toEqual({
			grantType: 'refresh_token',
			inQuery: ['client_id', 'client_secret'],
			inForm: ['grant_type', 'refresh_token'],
		});
		expect(JSON.stringify(log)).not.toMatch(/top-secret/);
	});
});
