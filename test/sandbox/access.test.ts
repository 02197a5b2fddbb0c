import { request } from 'node:http';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

describe('by host', () => {
	let sandbox: TestSandbox;
	let port: string;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
		({ port } = new URL(sandbox.baseUrl));
	});

	/** As a browser would send it, with headers that no client library lets one set. */
	function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
		return new Promise((answered, failed) => {
			request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
				response.resume();
				answered(response.statusCode ?? 0);
			})
				.on('error', failed)
				.end();
		});
	}

	test.each([
		['a name that was pointed at this machine', () => `attacker.example:${port}`],
		['a name that starts like an address', () => `127.0.0.1.attacker.example:${port}`],
		['an address that it does not listen on', () => `192.0.2.1:${port}`],
		['no name', () => ':1'],
	])('everything is closed to %s, whatever it knows', async (_, host) => {
		const { apiToken: authorization } = sandbox;
		for (const path of [
			'/v1/events',
			'/%761/events',
			'/oauth/authorize',
			'/nowhere',
			'/',
			'/_sandbox/state',
		])
			expect([path, await send('GET', path, { host: host(), authorization })]).toEqual([path, 403]);
	});

	test.each([
		['the form of another site', { origin: 'https://attacker.example' }],
		['a page of another port', { origin: 'http://127.0.0.1:1' }],
		['a page in a sandboxed frame', { origin: 'null' }],
		['an image on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
	])('what needs no token is closed to %s', async (_, headers) => {
		const host = `127.0.0.1:${port}`;
		for (const path of ['/', '/page/page.js', '/_sandbox/page', '/_sandbox/requests'])
			expect([path, await send('GET', path, { host, ...headers })]).toEqual([path, 403]);
		for (const path of ['try/reset', 'reset', 'faults', 'world', 'oauth/issue'])
			expect([path, await send('POST', `/_sandbox/${path}`, { host, ...headers })]).toEqual([
				path,
				403,
			]);
	});

	test.each([
		['by its address', () => ({ host: `127.0.0.1:${port}` })],
		['as localhost', () => ({ host: `localhost:${port}` })],
		['by an IPv6 address', () => ({ host: `[::1]:${port}` })],
		[
			'from its own page',
			() => ({ host: `localhost:${port}`, origin: `http://localhost:${port}` }),
		],
	])('the page, the control paths and the API are open %s', async (_, headers) => {
		expect(await send('GET', '/', headers())).toBe(200);
		expect(await send('GET', '/v1/events', { ...headers(), authorization: sandbox.apiToken })).toBe(
			200,
		);
		expect(await send('GET', '/_sandbox/state', headers())).toBe(200);
	});

	test('a name that was allowed leads in, and so does any address of a machine that listens on all', async () => {
		const open = await sandboxForTests({
			host: '0.0.0.0',
			allowHosts: 'host.docker.internal, box',
		});
		({ port } = new URL(open.baseUrl));
		const authorization = open.apiToken;
		const ask = (host: string) => send('GET', '/v1/events', { host, authorization });
		expect(await ask(`host.docker.internal:${port}`)).toBe(200);
		expect(await ask('BOX')).toBe(200);
		expect(await ask('192.0.2.1')).toBe(200);
		expect(await ask('[2001:db8::1]')).toBe(200);
		expect(await ask('docker.internal')).toBe(403);
		expect(await ask('192.0.2.1.attacker.example')).toBe(403);
	});
});

describe('in the log', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
	});
	beforeEach(() => sandbox.reset());

	const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };

	test('tokens can be told apart and are never told', async () => {
		const { data } = await sandbox.web.post<{ access_token: string }>('/_sandbox/oauth/issue', {});
		const bearer = { headers: { Authorization: `Bearer ${data.access_token}` } };
		await sandbox.web.get('/v1/ping', bearer);
		await sandbox.web.get('/v1/ping', bearer);
		await sandbox.api.get('/ping');
		await sandbox.web.get('/v1/ping', { headers: { Authorization: 'Bearer wrong-token' } });
		await sandbox.web.get('/v1/ping');
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
		expect(prints[4]).toBeNull();
		const text = JSON.stringify(log);
		expect(text).not.toContain(data.access_token);
		expect(text).not.toContain('wrong-token');
		expect(text).not.toContain(sandbox.apiToken);
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
		expect(log.map(({ oauth }) => oauth)).toEqual([
			{
				grantType: 'refresh_token',
				inQuery: ['client_id', 'client_secret'],
				inForm: ['grant_type', 'refresh_token'],
			},
			{ grantType: null, inQuery: ['client_id', 'state'], inForm: [] },
			{ grantType: null, inQuery: [], inForm: ['code'] },
		]);
		expect(JSON.stringify(log)).not.toMatch(/top-secret/);
	});
});
