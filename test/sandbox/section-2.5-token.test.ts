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
	const { status, data, headers } = await app.exchange(await app.code());
	const after = Math.ceil(Date.now() / 1000);
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
	expect(data.created_at).toBeLessThanOrEqual(after);
	expect(headers['cache-control']).toBe('no-store');
	const statusWith = async (token: string) =>
		(await visitor.as(`Bearer ${token}`).get('/v1/events')).status;
	expect(await statusWith(data.access_token)).toBe(200);
	expect(await statusWith(data.refresh_token)).toBe(401);
});
