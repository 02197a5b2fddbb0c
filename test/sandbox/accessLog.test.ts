import { sandboxForTests, type TestSandbox } from '../support/sandbox';

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
