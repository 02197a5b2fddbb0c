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

test('PKCE and state are accepted, together and apart', async () => {
	const challenge = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
	for (const asked of [{}, challenge, { state: 'opaque' }, { ...challenge, state: 'opaque' }]) {
		const page = await visit(app.authorizeUrl(asked));
		expect([asked, page.form?.decisions]).toEqual([asked, ['deny', 'allow']]);
	}
});
