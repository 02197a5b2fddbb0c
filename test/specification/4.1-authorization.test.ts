import '../support/time/fasterClock';
import type { TestSandbox } from '../support/platform/sandbox';
import {
	connectThroughConsent,
	fieldsOf,
	unconnectedCredential,
} from '../support/n8n/engineConsent';
import { connectedApp, exactPlatform, type ConnectedApp } from './scene';

let sandbox: TestSandbox;
let connected: ConnectedApp;
beforeAll(async () => {
	sandbox = await exactPlatform();
	connected = await connectedApp();
});

/** Gives a parameter that n8n puts into the address of the consent page. */
const asked = (name: string) => connected.authorizeUrl.searchParams.get(name);

const secret = expect.stringMatching(/^[\w-]{43}$/) as string;

describe('4.1 GET /oauth/authorize', () => {
	test('The browser is sent to `/oauth/authorize` of the authorization server', () => {
		const { origin, pathname } = connected.authorizeUrl;
		expect(origin + pathname).toBe(`${connected.sandbox.authServerUrl}/oauth/authorize`);
	});

	test('`response_type` is `code`', () => {
		expect(asked('response_type')).toBe('code');
	});

	test('`client_id` is that of the app', () => {
		expect(asked('client_id')).toBe(connected.sandbox.clientId);
	});

	// The address is made in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.
	test('`redirect_uri` must be the registered one', () => {
		expect(asked('redirect_uri')).toBe(connected.sandbox.redirectUri);
	});

	test('`scope` has the scopes, separated by blanks', () => {
		expect(asked('scope')).toBe('events:write webhooks:write');
	});

	// A state is made and compared in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.
	test('`state` comes back unchanged', () => {
		expect(asked('state')).toMatch(/.{16,}/);
		expect(connected.callback.searchParams.get('state')).toBe(asked('state'));
	});

	// Both are made in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.
	test('`code_challenge` and `code_challenge_method` are accepted', async () => {
		expect(asked('code_challenge')).toMatch(/^[\w-]{43}$/);
		expect(asked('code_challenge_method')).toBe('S256');
		const without = await connectThroughConsent(connected.sandbox, { usePkce: false });
		expect(without.authorizeUrl.searchParams.has('code_challenge')).toBe(false);
	});

	test('All parameters stand in the query, encoded for URLs', () => {
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
	});

	test('After the consent the browser returns to the redirect URL with a code', () => {
		expect(connected.storedTokens()['access_token']).toMatch(/./);
	});
});

describe('4.1 POST /oauth/token', () => {
	const inForm = async (nth: number) => {
		const requests = await connected.tokenRequests();
		return requests.at(nth)?.oauth?.inForm.sort().join(' ');
	};

	// n8n itself asks for tokens, and sends these parameters in the body of a form, as RFC 6749 (4.1.3 and 6) demands. No setting of a credential changes that. Where a platform reads the query alone, OAuth2 cannot be connected, and an API token is the way. Public clients of the vendor use either. `npm run sandbox -- --oauth-params query` shows it.
	test('The parameters of a request for a token stand in the query: not kept by the client', async () => {
		const platform = await exactPlatform({ oauthParams: 'query' });
		await expect(connectThroughConsent(platform)).rejects.toThrow();
		const [sent] = await connected.tokenRequests();
		expect(sent?.oauth?.inQuery).toEqual([]);
		expect(sent?.oauth?.inForm).toContain('code');
	});

	test('The code is exchanged by POST `/oauth/token`', async () => {
		const [exchange] = await connected.tokenRequests();
		expect(exchange).toMatchObject({ method: 'POST', path: '/oauth/token', status: 200 });
	});

	test('The exchange names the grant type `authorization_code`', async () => {
		expect((await fieldsOf(unconnectedCredential(sandbox))).grantType).toBe('authorizationCode');
		const [exchange] = await connected.tokenRequests();
		expect(exchange?.oauth?.grantType).toBe('authorization_code');
	});

	// That both stand in the body is decided in n8n itself, which no package has: here a stand-in does it as n8n does, and `test/e2e/credentials.test.ts` shows it in n8n.
	test('The exchange carries `client_id` and `client_secret`', async () => {
		const [exchange] = await connected.tokenRequests();
		expect(exchange?.oauth?.inForm).toEqual(expect.arrayContaining(['client_id', 'client_secret']));
		expect(exchange?.tokenKind).toBe('none');
	});

	test('The exchange carries the code and the registered redirect URL', async () => {
		expect(await inForm(0)).toBe(
			'client_id client_secret code code_verifier grant_type redirect_uri',
		);
	});

	test('The exchange is answered with the token object', () => {
		expect(connected.storedTokens()).toMatchObject({
			access_token: secret,
			refresh_token: secret,
		});
	});

	test('The refresh names the grant type `refresh_token`, with `client_id` and `client_secret`', async () => {
		const before = (await connected.tokenRequests()).length;
		await connected.expireToken();
		expect((await connected.lists.run()).error).toBeUndefined();
		const requests = await connected.tokenRequests();
		expect(requests).toHaveLength(before + 1);
		expect(requests.at(-1)?.oauth?.grantType).toBe('refresh_token');
		expect(await inForm(-1)).toBe('client_id client_secret grant_type refresh_token');
	});

	test("The refresh carries the user's current refresh token", async () => {
		const rotating = await connectedApp({ rotateRefresh: true });
		for (let times = 0; times < 2; times++) {
			await rotating.expireToken();
			expect((await rotating.lists.run()).error).toBeUndefined();
		}
	});

	test('The refresh is answered like the exchange', async () => {
		const before = { ...connected.storedTokens() };
		await connected.expireToken();
		await connected.lists.run();
		expect(Object.keys(connected.storedTokens()).sort()).toEqual(Object.keys(before).sort());
		expect(connected.storedTokens()['access_token']).not.toBe(before['access_token']);
	});
});
