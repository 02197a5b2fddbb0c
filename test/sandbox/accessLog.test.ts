import { sandboxForTests, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };

test('a request is logged with what was asked, by whom, when, and how it ended', async () => {
	const before = Date.now();
	await sandbox.api.get('/events', { params: { 'page[size]': 5 } });
	expect(await sandbox.requests()).toEqual([
		{
			id: expect.any(Number) as number,
			method: 'GET',
			path: '/v1/events',
			query: { 'page[size]': '5' },
			status: 200,
			tokenKind: 'api_token',
			fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
			time: expect.any(Number) as number,
			durationMs: expect.any(Number) as number,
			operationId: 'listEvents',
			body: null,
			oauth: null,
			fault: null,
		},
	]);
	const [logged] = await sandbox.requests();
	expect(logged?.time).toBeGreaterThanOrEqual(before);
});

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

test('a connection that broke has no status', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'reset-before' }]);
	await expect(sandbox.api.get('/ping')).rejects.toThrow();
	expect(await sandbox.requests()).toMatchObject([{ status: null, fault: 'reset-before' }]);
});
