import { RequestLog, type LoggedRequest } from '../../sandbox/access/requestLog';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';

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

test('the body of an API request is kept, also of one that is refused', async () => {
	const path = `/sessions/${upcomingSession}/people`;
	await sandbox.api.post(path, personOf('ada@example.com'));
	await sandbox.api.post(path, personOf('ada@example.com'));
	const [made, again] = await sandbox.requests();
	expect(made).toMatchObject({ status: 201, body: personOf('ada@example.com') });
	expect(again).toMatchObject({ status: 409, body: personOf('ada@example.com') });
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

test('what is secret in a body is not shown', async () => {
	await sandbox.api.post('/events', {
		password_key: 'hush-1',
		deep: [{ client_secret: 'hush-2' }],
	});
	expect(JSON.stringify(await sandbox.requests())).not.toMatch(/hush/);
});

test('a connection that broke has no status', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'reset-before' }]);
	await expect(sandbox.api.get('/ping')).rejects.toThrow();
	expect(await sandbox.requests()).toMatchObject([{ status: null, fault: 'reset-before' }]);
});

test('looking at the sandbox leaves no trace in the log', async () => {
	await sandbox.web.get('/');
	await sandbox.web.get('/_sandbox/page');
	await sandbox.state();
	expect(await sandbox.requests()).toEqual([]);
});

test.each(['//', '/v1/%', '/v1/%E0%A4%A', '/v1/events?%', '/v1/../oauth', '/?x=/v1', '/v1/\\x'])(
	'the strange address %s is answered and logged without harm',
	async (path) => {
		const { status } = await sandbox.web.get(sandbox.baseUrl + path);
		expect(status).toBeLessThan(500);
		expect((await sandbox.api.get('/ping')).status).toBe(200);
	},
);

test('the log keeps the latest 20,000 requests, and the bodies of the latest 2,000', () => {
	const log = new RequestLog();
	const request = { body: { some: 'body' } } as unknown as Omit<LoggedRequest, 'id'>;
	for (let index = 0; index < 45_000; index++) log.add({ ...request });
	const kept = log.all();
	expect(kept).toHaveLength(20_000);
	expect(kept.at(-1)?.id).toBe(45_000);
	expect(kept.filter(({ body }) => body !== null)).toHaveLength(2_000);
	expect(kept.at(-1)?.body).toEqual({ some: 'body' });
});
