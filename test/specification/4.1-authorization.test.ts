import '../support/time/fasterClock';
import { partnerApp, pkce, type PartnerApp } from './partnerApp';
import { getAs } from '../support/platform/requests';
import type { TestSandbox } from '../support/platform/sandbox';
import {
	connectThroughConsent,
	fieldsOf,
	unconnectedCredential,
} from '../support/n8n/engineConsent';
import { connectedApp, exactPlatform, type ConnectedApp } from './scene';
import { forEach, statement } from './statement';

let sandbox: TestSandbox;
let app: PartnerApp;
let connected: ConnectedApp;
beforeAll(async () => {
	sandbox = await exactPlatform();
	app = partnerApp(sandbox);
	connected = await connectedApp();
});

/** Gives a parameter that n8n puts into the address of the consent page. */
const asked = (name: string) => connected.authorizeUrl.searchParams.get(name);

/** Names a refused request for a token by its status and its error. */
function refusal({ status, data }: { status: number; data: { error?: string } }): string {
	return `${status} ${data.error}`;
}

async function works(accessToken: string): Promise<boolean> {
	return (await getAs(sandbox, `Bearer ${accessToken}`)).status === 200;
}

/** The user is told why, cannot allow it, and the app hears nothing. */
async function isRefusedToTheUser(changes: Record<string, string | undefined>, words: RegExp) {
	const { status, data } = await app.page(changes);
	expect(status).toBe(400);
	expect(data).toMatch(words);
	expect(data).not.toContain('<form');
}

const secret = expect.stringMatching(/^[\w-]{43}$/) as string;

describe('4.1 GET /oauth/authorize', () => {
	statement('The browser is sent to `/oauth/authorize` of the authorization server', {
		async platform() {
			expect((await app.page()).status).toBe(200);
		},
		client() {
			const { origin, pathname } = connected.authorizeUrl;
			expect(origin + pathname).toBe(`${connected.sandbox.authServerUrl}/oauth/authorize`);
		},
	});

	statement('`response_type` is `code`', {
		platform: forEach(['token', undefined], async (type) => {
			const { headers } = await app.page({ response_type: type });
			const { searchParams } = new URL(String(headers['location']));
			expect([...searchParams.keys()]).toContain('error');
			expect(searchParams.has('code')).toBe(false);
		}),
		client() {
			expect(asked('response_type')).toBe('code');
		},
	});

	statement('`client_id` is that of the app', {
		platform: forEach(['other', undefined], async (id) => {
			await isRefusedToTheUser({ client_id: id }, /client_id/);
		}),
		client() {
			expect(asked('client_id')).toBe(connected.sandbox.clientId);
		},
	});

	statement(
		'`redirect_uri` must be the registered one',
		{
			async platform() {
				await isRefusedToTheUser({ redirect_uri: 'https://a.example/' }, /not the one registered/);
				expect((await app.page({ redirect_uri: undefined })).status).toBe(400);
			},
			client() {
				expect(asked('redirect_uri')).toBe(connected.sandbox.redirectUri);
			},
		},
		{
			note: 'The address is made in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.',
		},
	);

	statement('`scope` has the scopes, separated by blanks', {
		async platform() {
			await isRefusedToTheUser({ scope: undefined }, /No scope/);
			await isRefusedToTheUser({ scope: 'events:write,webhooks:write' }, /Unknown scope/);
		},
		client() {
			expect(asked('scope')).toBe('events:write webhooks:write');
		},
	});

	statement('Scopes that the app is not configured for are an error that the user sees', {
		platform: forEach(
			['events:write admin:read', 'events:write', 'webhooks:write'],
			async (scope) => {
				await isRefusedToTheUser({ scope }, /must be the same/);
			},
		),
	});

	statement(
		'`state` comes back unchanged',
		{
			platform: forEach(['xyz', 'a b&c=d/é'], async (state) => {
				expect((await app.allowed({ state })).searchParams.get('state')).toBe(state);
			}),
			client() {
				expect(asked('state')).toMatch(/.{16,}/);
				expect(connected.callback.searchParams.get('state')).toBe(asked('state'));
			},
		},
		{
			note: 'A state is made and compared in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.',
		},
	);

	statement('Without a `state` none comes back', {
		async platform() {
			expect([...(await app.allowed()).searchParams.keys()]).toEqual(['code']);
		},
	});

	statement(
		'`code_challenge` and `code_challenge_method` are accepted',
		{
			async platform() {
				const { verifier, challenge } = pkce();
				const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
				const exchange = async (code_verifier?: string) =>
					app.exchange(await app.code(challenged), { code_verifier });
				expect((await exchange(verifier)).status).toBe(200);
				expect(refusal(await exchange(pkce().verifier))).toBe('400 invalid_grant');
				expect(refusal(await exchange())).toBe('400 invalid_grant');
			},
			async client() {
				expect(asked('code_challenge')).toMatch(/^[\w-]{43}$/);
				expect(asked('code_challenge_method')).toBe('S256');
				const without = await connectThroughConsent(connected.sandbox, { usePkce: false });
				expect(without.authorizeUrl.searchParams.has('code_challenge')).toBe(false);
			},
		},
		{
			note: 'Both are made in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.',
		},
	);

	statement('All parameters stand in the query, encoded for URLs', {
		async platform() {
			const url = `${sandbox.authServerUrl}/oauth/authorize`;
			expect((await sandbox.web.get(url)).status).toBe(400);
			const { searchParams } = await app.allowed({ state: '%20 +' });
			expect(searchParams.get('state')).toBe('%20 +');
		},
		client() {
			const { searchParams, search, hash } = connected.authorizeUrl;
			expect([...searchParams.keys()].sort()).toEqual(
				[
					'response_type',
					'client_id',
					'redirect_uri',
					'scope',
					'state',
					'code_challenge',
					'code_challenge_method',
				].sort(),
			);
			expect(search).not.toMatch(/[ :]/);
			expect(hash).toBe('');
		},
	});

	statement('The user sees a page that asks for consent', {
		async platform() {
			const { status, data } = await app.page({ state: 'xyz' });
			expect(status).toBe(200);
			expect(data).toMatch(
				/Sandbox Partner App asks for access[\s\S]*register and unregister people[\s\S]*webhooks:write/,
			);
			expect(data).not.toMatch(/admin:|identity:|full:/);
			expect(data).toMatch(/value="deny"[\s\S]*value="allow"/);
		},
	});

	statement('After the consent the browser returns to the redirect URL with a code', {
		async platform() {
			const { origin, pathname, searchParams } = await app.allowed({ state: 'xyz' });
			expect(`${origin}${pathname}`).toBe(sandbox.redirectUri);
			expect(Object.fromEntries(searchParams)).toEqual({ code: secret, state: 'xyz' });
		},
		client() {
			expect(connected.storedTokens()['access_token']).toMatch(/./);
		},
	});
});

describe('4.1 POST /oauth/token', () => {
	const inForm = async (nth: number) => {
		const requests = await connected.tokenRequests();
		return requests.at(nth)?.oauth?.inForm.sort().join(' ');
	};

	statement(
		'The parameters of a request for a token stand in the query',
		{
			async platform() {
				expect((await app.exchange(await app.code())).status).toBe(200);
			},
			async client() {
				const platform = await exactPlatform({ oauthParams: 'query' });
				await expect(connectThroughConsent(platform)).rejects.toThrow();
				const [sent] = await connected.tokenRequests();
				expect(sent?.oauth?.inQuery).toEqual([]);
				expect(sent?.oauth?.inForm).toContain('code');
			},
		},
		{
			notKept:
				'n8n itself asks for tokens, and sends these parameters in the body of a form, as RFC 6749 (4.1.3 and 6) demands. No setting of a credential changes that. Where a platform reads the query alone, OAuth2 cannot be connected, and an API token is the way. Public clients of the vendor use either. `npm run sandbox -- --oauth-params query` shows it.',
		},
	);

	statement('The code is exchanged by POST `/oauth/token`', {
		async platform() {
			const { data } = await app.exchange(await app.code());
			expect(await works(data.access_token)).toBe(true);
		},
		async client() {
			const [exchange] = await connected.tokenRequests();
			expect(exchange).toMatchObject({ method: 'POST', path: '/oauth/token', status: 200 });
		},
	});

	statement('The exchange names the grant type `authorization_code`', {
		async platform() {
			const code = await app.code();
			const exchanged = async (grant_type?: string) =>
				refusal(await app.exchange(code, { grant_type }));
			expect(await exchanged('password')).toBe('400 unsupported_grant_type');
			expect(await exchanged()).toBe('400 invalid_request');
			expect(await exchanged('refresh_token')).toBe('400 invalid_request');
			expect((await app.exchange(code)).status).toBe(200);
		},
		async client() {
			expect((await fieldsOf(unconnectedCredential(sandbox))).grantType).toBe('authorizationCode');
			const [exchange] = await connected.tokenRequests();
			expect(exchange?.oauth?.grantType).toBe('authorization_code');
		},
	});

	statement(
		'The exchange carries `client_id` and `client_secret`',
		{
			platform: forEach(
				[{ client_secret: 'wrong' }, { client_secret: undefined }, { client_id: 'other' }],
				async (changes) => {
					const answer = await app.exchange(await app.code(), changes);
					expect(refusal(answer)).toBe('401 invalid_client');
				},
			),
			async client() {
				const [exchange] = await connected.tokenRequests();
				expect(exchange?.oauth?.inForm).toEqual(
					expect.arrayContaining(['client_id', 'client_secret']),
				);
				expect(exchange?.tokenKind).toBe('none');
			},
		},
		{
			note: 'That both stand in the body is decided in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.',
		},
	);

	statement('The exchange carries the code and the registered redirect URL', {
		async platform() {
			const elsewhere = await app.exchange(await app.code(), {
				redirect_uri: 'https://a.example/',
			});
			expect(refusal(elsewhere)).toBe('400 invalid_grant');
			expect(refusal(await app.exchange('a guess'))).toBe('400 invalid_grant');
		},
		async client() {
			expect(await inForm(0)).toBe(
				'client_id client_secret code code_verifier grant_type redirect_uri',
			);
		},
	});

	statement('The exchange is answered with the token object', {
		async platform() {
			const { data } = await app.exchange(await app.code());
			expect(Object.keys(data).sort()).toEqual(
				['access_token', 'created_at', 'expires_in', 'refresh_token', 'scope', 'token_type'].sort(),
			);
		},
		client() {
			expect(connected.storedTokens()).toMatchObject({
				access_token: secret,
				refresh_token: secret,
			});
		},
	});

	statement(
		'The refresh names the grant type `refresh_token`, with `client_id` and `client_secret`',
		{
			async platform() {
				const { data } = await app.exchange(await app.code());
				const refused = async (changes: object) =>
					refusal(await app.refresh(data.refresh_token, { ...changes }));
				expect(await refused({ client_secret: 'a guess' })).toBe('401 invalid_client');
				expect(await refused({ grant_type: 'authorization_code' })).toMatch(/^400/);
			},
			async client() {
				const before = (await connected.tokenRequests()).length;
				await connected.expireToken();
				expect((await connected.lists.run()).error).toBeUndefined();
				const requests = await connected.tokenRequests();
				expect(requests).toHaveLength(before + 1);
				expect(requests.at(-1)?.oauth?.grantType).toBe('refresh_token');
				expect(await inForm(-1)).toBe('client_id client_secret grant_type refresh_token');
			},
		},
	);

	statement("The refresh carries the user's current refresh token", {
		async platform() {
			const { data } = await app.exchange(await app.code());
			const none = await app.refresh(data.refresh_token, { refresh_token: undefined });
			expect(refusal(none)).toBe('400 invalid_request');
			expect(refusal(await app.refresh('a guess'))).toBe('400 invalid_grant');
		},
		async client() {
			const rotating = await connectedApp({ rotateRefresh: true });
			for (let times = 0; times < 2; times++) {
				await rotating.expireToken();
				expect((await rotating.lists.run()).error).toBeUndefined();
			}
		},
	});

	statement('The refresh is answered like the exchange', {
		async platform() {
			const { data: first } = await app.exchange(await app.code());
			const { data } = await app.refresh(first.refresh_token);
			expect(Object.keys(data).sort()).toEqual(Object.keys(first).sort());
			expect(data.access_token).not.toBe(first.access_token);
			expect(await works(data.access_token)).toBe(true);
		},
		async client() {
			const before = { ...connected.storedTokens() };
			await connected.expireToken();
			await connected.lists.run();
			expect(Object.keys(connected.storedTokens()).sort()).toEqual(Object.keys(before).sort());
			expect(connected.storedTokens()['access_token']).not.toBe(before['access_token']);
		},
	});
});
