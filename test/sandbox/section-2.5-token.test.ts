import { partnerApp } from './oauthClient';
import { openSandbox, type Visitor } from './visitor';

let visitor: Visitor;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	visitor = await openSandbox();
	app = partnerApp(visitor.sandbox);
});

test('a token tells its type, lifetime, scope and time of creation, and nothing else', async () => {
	const before = Math.floor(Date.now() / 1000);
	const { status, data } = await app.exchange(await app.code());
	const after = Math.ceil(Date.now() / 1000);
	expect(status).toBe(200);
	expect(data).toEqual({
		access_token: expect.any(String) as string,
		token_type: 'Bearer',
		expires_in: 7200,
		refresh_token: expect.any(String) as string,
		scope: 'events:write webhooks:write',
		created_at: expect.any(Number) as number,
	});
	expect(Number.isInteger(data.created_at)).toBe(true);
	expect(data.created_at).toBeGreaterThanOrEqual(before);
	expect(data.created_at).toBeLessThanOrEqual(after);
});

test('access token and refresh token are two', async () => {
	const { data } = await app.exchange(await app.code());
	expect(data.access_token).not.toBe(data.refresh_token);
	const { status } = await visitor.as(`Bearer ${data.refresh_token}`).get('/v1/events');
	expect(status).toBe(401);
});

test('the refresh token obtains a new access token of the same shape', async () => {
	const { data: first } = await app.exchange(await app.code());
	const { data: second } = await app.refresh(first.refresh_token);
	expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort());
	expect(second.access_token).not.toBe(first.access_token);
	expect(second.scope).toBe(first.scope);
	expect((await visitor.as(`Bearer ${second.access_token}`).get('/v1/events')).status).toBe(200);
});

test('no cache may keep a token', async () => {
	const { headers } = await app.exchange(await app.code());
	expect(headers['cache-control']).toBe('no-store');
});
