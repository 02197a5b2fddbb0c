import { visit } from './browser';
import { partnerApp, pkce } from './oauthClient';
import { openSandbox, type Visitor } from './visitor';

let visitor: Visitor;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	visitor = await openSandbox();
	app = partnerApp(visitor.sandbox);
});

test('the app may refresh before the expiry, again and again', async () => {
	const { data: first } = await app.exchange(await app.code());
	let refreshToken = first.refresh_token;
	const accessTokens = new Set([first.access_token]);
	for (let i = 0; i < 3; i += 1) {
		const { data } = await app.refresh(refreshToken);
		refreshToken = data.refresh_token;
		accessTokens.add(data.access_token);
		expect((await visitor.as(`Bearer ${data.access_token}`).get('/v1/ping')).status).toBe(200);
	}
	expect(accessTokens.size).toBe(4);
});

test('a code is worth nothing at the API, nor is the refresh token', async () => {
	const code = await app.code();
	expect((await visitor.as(`Bearer ${code}`).get('/v1/ping')).status).toBe(401);
	const { data } = await app.exchange(code);
	expect((await visitor.as(`Bearer ${data.refresh_token}`).get('/v1/ping')).status).toBe(401);
});

test('PKCE and state are accepted, together and apart', async () => {
	const challenge = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
	for (const asked of [{}, challenge, { state: 'opaque' }, { ...challenge, state: 'opaque' }]) {
		const page = await visit(app.authorizeUrl(asked));
		expect([asked, page.form?.decisions]).toEqual([asked, ['deny', 'allow']]);
	}
});

test('two users who allow get tokens of their own: revoking one leaves the other', async () => {
	const { data: one } = await app.exchange(await app.code());
	const { data: other } = await app.exchange(await app.code());
	await visitor.control('oauth/revoke', { token: one.access_token });
	const status = async (token: string) =>
		(await visitor.as(`Bearer ${token}`).get('/v1/ping')).status;
	expect([await status(one.access_token), await status(other.access_token)]).toEqual([401, 200]);
	expect((await app.refresh(one.refresh_token)).data.error).toBe('invalid_grant');
});
