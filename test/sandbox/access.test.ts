import { sandboxOfFile } from '../support/platform/sandbox';
import { bearer, getAs } from '../support/platform/requests';

const sandbox = sandboxOfFile({ webhookSecret: 'whsec-of-the-page' });
beforeEach(() => sandbox.reset());

/** Sends a request as a browser would. */
async function send(path: string, { host = '127.0.0.1', ...more }: Record<string, string>) {
	const { port } = new URL(sandbox.baseUrl);
	const headers = { ...more, Authorization: sandbox.apiToken, Host: `${host}:${port}` };
	return (await sandbox.web.get<unknown>(path, { headers })).status;
}

test.each([
	['a name that was pointed at this machine', { host: 'attacker.example' }, 403, 403],
	['a name that starts like an address', { host: '127.0.0.1.attacker.example' }, 403, 403],
	['the form of another site', { origin: 'https://attacker.example' }, 403, 200],
	['a page of another port', { origin: 'http://127.0.0.1:1' }, 403, 200],
	['an image on another site', { 'sec-fetch-site': 'cross-site' }, 403, 200],
	['localhost', { host: 'localhost' }, 200, 200],
	['an IPv6 address', { host: '[::1]' }, 200, 200],
])('%s is let in to the page by its host alone, and to the API', async (_, headers, own, api) => {
	for (const path of ['/', '/page/page.js', '/_sandbox/state', '/_sandbox/requests'])
		expect([path, await send(path, headers)]).toEqual([path, own]);
	for (const path of ['/v1/events', '/%761/events'])
		expect([path, await send(path, headers)]).toEqual([path, api]);
});

test('in the log, the kinds of tokens can be told apart, and none is told', async () => {
	const token = await bearer(sandbox);
	for (const sent of [token, token, sandbox.apiToken, 'Bearer wrong-token', undefined]) {
		await getAs(sandbox, sent, '/v1/ping');
	}
	const log = await sandbox.requests();
	const kinds = ['access_token', 'access_token', 'api_token', 'unknown', 'none'];
	expect(log.map(({ tokenKind }) => tokenKind)).toEqual(kinds);
	const text = JSON.stringify(log);
	for (const secret of [token.replace('Bearer ', ''), 'wrong-token', sandbox.apiToken]) {
		expect(text).not.toContain(secret);
	}
});

test('in the log, of OAuth requests only the names of the parameters are kept', async () => {
	const { web } = sandbox;
	const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
	const query = 'client_id=some-client&client_secret=top-secret-1';
	const body = 'grant_type=refresh_token&refresh_token=top-secret-2';
	await web.post(`/oauth/token?${query}`, body, form);
	await web.get('/oauth/authorize?client_id=x&state=top-secret-3');
	await web.post('/%6Fauth/token', 'code=top-secret-4', form);
	const log = await sandbox.requests();
	expect(log[0]?.oauth).toEqual({
		grantType: 'refresh_token',
		inQuery: ['client_id', 'client_secret'],
		inForm: ['grant_type', 'refresh_token'],
	});
	expect(JSON.stringify(log)).not.toMatch(/top-secret/);
});

test('on the page, the credentials of the sandbox are there in full, and no other secret is', async () => {
	const { web } = sandbox;
	const { data: page } = await web.get<string>('/', { headers: { Host: 'localhost' } });
	for (const own of [sandbox.apiToken, sandbox.clientSecret, 'http://localhost'])
		expect(page).toContain(`data-copy="${own}"`);
	const token = await bearer(sandbox);
	for (const sent of [token, 'hush-hush-token']) await getAs(sandbox, sent, '/v1/ping');
	await web.get('/v1/ping?access_token=hush-hush');
	await web.post('/oauth/token?client_secret=hush-hush&refresh_token=hush-hush');
	const text = JSON.stringify((await web.get<unknown>('/_sandbox/page')).data);
	for (const secret of [token.replace('Bearer ', ''), 'whsec', 'hush-hush'])
		expect(text).not.toContain(secret);
});
