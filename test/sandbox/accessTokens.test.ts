import { covers, scopeNames, scopeProblem } from '../../sandbox/oauth/scope';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

interface Refused {
	errors: Array<Record<'title' | 'detail' | 'code' | 'status', string>>;
}

let sandbox: TestSandbox;
let accessToken: string;
beforeAll(async () => {
	sandbox = await sandboxForTests({ webhookSecret: 'whsec-of-the-test' });
	accessToken = await issue('events:write webhooks:read');
});

async function issue(scope: string): Promise<string> {
	const { data } = await sandbox.web.post<{ access_token: string }>('/_sandbox/oauth/issue', {
		scope,
	});
	return data.access_token;
}

function ask(path: string, authorization?: string, method = 'GET') {
	const headers = authorization === undefined ? {} : { Authorization: authorization };
	return sandbox.web.request<Refused>({ url: `/v1${path}`, method, headers });
}

test('an API token works as it is, an access token behind "Bearer"', async () => {
	expect((await ask('/events', sandbox.apiToken)).status).toBe(200);
	expect((await ask('/events', `Bearer ${accessToken}`)).status).toBe(200);
});

test.each([
	['an API token behind "Bearer"', () => `Bearer ${sandbox.apiToken}`, /without "Bearer"/],
	['an access token as it is', () => accessToken, /needs "Bearer " in front/],
	['Basic', () => `Basic ${btoa('sandbox-client:sandbox-secret')}`, /Basic is not accepted/],
	['another API token', () => 'sandbox-tokem', /API token is unknown/],
	['the start of the API token', () => 'sandbox-toke', /API token is unknown/],
	['another access token', () => `Bearer ${accessToken}x`, /access token is unknown/],
	['nothing behind "Bearer"', () => 'Bearer', /access token is unknown/],
	['a client secret', () => 'Bearer sandbox-secret', /access token is unknown/],
	['SQL', () => `Bearer ' OR 1=1 --`, /access token is unknown/],
	['a very long token', () => `Bearer ${'x'.repeat(7000)}`, /access token is unknown/],
	['a prototype key', () => 'Bearer __proto__', /access token is unknown/],
	['two tokens', () => `Bearer ${accessToken} ${accessToken}`, /access token is unknown/],
])('%s is refused with words that help', async (_, authorization, detail) => {
	const { status, data, headers } = await ask('/events', authorization());
	expect(status).toBe(401);
	expect(headers['www-authenticate']).toMatch(/^Bearer/);
	expect(data.errors).toHaveLength(1);
	expect(data.errors[0]).toEqual({
		title: 'Unauthorized',
		code: 'unauthorized',
		status: '401',
		detail: expect.stringMatching(detail) as string,
	});
	expect(JSON.stringify(data)).not.toContain(accessToken);
});

test('no token at all is refused with words that help', async () => {
	const { status, data } = await ask('/events');
	expect(status).toBe(401);
	expect(data.errors[0]?.detail).toMatch(/no Authorization header/);
});

test('a path that does not exist is no way around the token', async () => {
	expect((await ask('/nothing')).status).toBe(401);
	expect((await ask('/nothing', sandbox.apiToken)).status).toBe(404);
	expect((await ask('', undefined)).status).toBe(401);
});

test.each([
	'/%76%31/events',
	'/v%31/events',
	'/v1/%65vents',
	'/v1/events?x',
	'//v1/events',
	'/v1//events',
])('the address %s is no way around it either', async (path) => {
	const { status } = await sandbox.web.get(sandbox.baseUrl + path);
	expect([401, 404]).toContain(status);
	const blind = await sandbox.web.post(sandbox.baseUrl + path, {});
	expect([401, 404]).toContain(blind.status);
});

test.each([
	['events:read', '/events', 'GET', true],
	['events:read', '/sessions', 'GET', true],
	['events:read', '/people', 'GET', true],
	['events:read', '/events', 'POST', false],
	['events:read', '/webhooks', 'GET', false],
	['events:write', '/events', 'GET', true],
	['events:write', '/users', 'GET', false],
	['webhooks:write', '/webhooks', 'GET', true],
	['webhooks:read', '/webhooks', 'POST', false],
	['identity:read', '/me', 'GET', true],
	['identity:read', '/organization', 'GET', true],
	['admin:read', '/organization', 'GET', true],
	['admin:read', '/users', 'GET', true],
	['admin:read', '/me', 'GET', false],
	['full:read', '/users', 'GET', true],
	['full:read', '/events', 'POST', false],
	['full:read webhooks:write', '/webhooks', 'POST', true],
	['full:write', '/events', 'POST', true],
	['full:write', '/me', 'GET', true],
])('a token for %s and %s %s %s', async (scope, path, method, allowed) => {
	const { status, data } = await ask(path, `Bearer ${await issue(scope)}`, method);
	// A POST without a body gets as far as the complaint about that.
	if (allowed) return expect([200, 400]).toContain(status);
	expect(status).toBe(403);
	expect(data.errors[0]?.detail).toMatch(/lacks the scope \w+:(read|write)/);
});

test('a blocked workspace answers nobody, until it is unblocked', async () => {
	await sandbox.web.post('/_sandbox/workspace', { blocked: true });
	const blocked = await ask('/events', sandbox.apiToken);
	expect(blocked.status).toBe(403);
	expect(blocked.data.errors[0]?.detail).toMatch(/workspace is blocked/);
	expect((await ask('/events', 'wrong')).status).toBe(401);
	await sandbox.web.post('/_sandbox/workspace', { blocked: false });
	expect((await ask('/events', sandbox.apiToken)).status).toBe(200);
});

test.each([
	['full:write', true],
	['full:write events:read', false],
	['full:write events:write', false],
	['full:read', true],
	['full:read events:write webhooks:write', true],
	['full:read events:read', false],
	['full:read full:write', false],
	['events:read events:write', true],
	['events:admin', false],
	['__proto__', false],
	['', false],
])('section 5.3 and the scopes "%s"', (scopes, allowed) => {
	expect(scopeProblem(scopes.split(' ').filter(Boolean)) === null).toBe(allowed);
});

test('reading everything never writes, and a scope of one kind opens no other', () => {
	for (const needed of scopeNames) {
		expect(covers(['full:write'], needed)).toBe(true);
		expect(covers(['full:read'], needed)).toBe(needed.endsWith(':read'));
		const others = scopeNames.filter(
			(name) => !name.startsWith('full') && name.split(':')[0] !== needed.split(':')[0],
		);
		expect(covers(others, needed)).toBe(false);
	}
});
