import '../support/time/fasterClock';
import type { SandboxOptions } from '../../sandbox/options';
import type { RunScene } from '../support/n8n/engine';
import { operate } from '../support/n8n/operation';
import { partnerApp } from '../support/platform/partnerApp';
import { bearer, detailOf, getAs } from '../support/platform/requests';
import type { TestSandbox } from '../support/platform/sandbox';
import { page } from './pages';
import { answering, connectedApp, exactPlatform, type ConnectedApp } from './scene';
import { forEach, statement } from './statement';
import { fieldsOf, unconnectedCredential } from '../support/n8n/engineConsent';

let sandbox: TestSandbox;
let connected: ConnectedApp;
beforeAll(async () => {
	[sandbox, connected] = await Promise.all([exactPlatform(), connectedApp()]);
});

const listEvents = (scene: Pick<RunScene, 'credential'>) =>
	operate(sandbox, 'event.getAll', { limit: 1 }, scene);

describe('5.1 Schemes', () => {
	statement('An API token is sent as it is, without a prefix', {
		async platform() {
			expect((await getAs(sandbox, sandbox.apiToken)).status).toBe(200);
			expect((await getAs(sandbox, `Bearer ${sandbox.apiToken}`)).status).toBe(401);
		},
		async client() {
			const { credential, seen } = await answering(() => ({ body: { data: [] } }));
			await listEvents({ credential });
			expect(seen.map(({ headers }) => headers.authorization)).toEqual(['a-token']);
		},
	});

	statement('An access token is sent behind the word Bearer', {
		async platform() {
			expect((await getAs(sandbox, await bearer(sandbox))).status).toBe(200);
		},
		async client() {
			const { baseUrl } = sandbox;
			const { seen, credential: elsewhere } = await answering(() => ({ body: { data: [] } }));
			const data = { ...connected.credential.data, baseUrl: elsewhere.data.baseUrl ?? baseUrl };
			await listEvents({ credential: { ...connected.credential, data } });
			const { access_token } = connected.storedTokens();
			expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${access_token}`]);
		},
	});

	statement('An access token without its prefix is refused', {
		async platform() {
			const token = await bearer(sandbox);
			const bare = await getAs(sandbox, token.replace('Bearer ', ''));
			expect(bare.status).toBe(401);
			expect(detailOf(bare)).toContain('Bearer');
		},
	});

	statement('Clients may send `Accept: application/json`', {
		platform: forEach(['application/json', undefined], async (accept) => {
			const headers = { Accept: accept };
			expect((await sandbox.api.get('/events', { headers })).status).toBe(200);
		}),
		async client() {
			const { credential, seen } = await answering(() => ({ body: { data: [] } }));
			await listEvents({ credential });
			expect(seen.map(({ headers }) => headers.accept)).toEqual(['application/json']);
		},
	});

	statement(
		'How an API token is obtained is not specified',
		{
			people() {
				expect(page('credentials.md')).toContain(
					'the owner or an admin of the workspace opens _Account Settings → Integrations → Public API_ and creates a token',
				);
			},
		},
		{ note: 'Public pages say: by an owner or admin of the workspace, in the account settings.' },
	);
});

describe('5.2 OAuth flow', () => {
	statement(
		'The partner hands in the scopes, an HTTPS redirect URL and a square logo of at least 500 by 500 pixels with a transparent background',
		{
			people() {
				expect(page('oauth2.md')).toContain('It must be HTTPS');
				expect(page('oauth2.md')).toContain(
					'A square logo of at least 500 × 500 pixels with a transparent background',
				);
				expect(page('oauth2.md')).toContain('The [scopes](credentials.md#which-scopes)');
			},
		},
	);

	statement('The platform issues a client id and a client secret', {
		async platform() {
			const app = partnerApp(sandbox);
			const wrong = await app.exchange(await app.code(), { client_secret: 'wrong' });
			expect(wrong.status).toBe(401);
		},
		async client() {
			const credential = unconnectedCredential({ ...sandbox, clientId: 'ours', clientSecret: 's' });
			expect(await fieldsOf(credential)).toMatchObject({ clientId: 'ours', clientSecret: 's' });
		},
	});

	statement('The client secret stays confidential', {
		async client() {
			const { clientSecret } = connected.sandbox;
			expect(connected.authorizeUrl.href).not.toContain(clientSecret);
			const refused = await connectedApp();
			await refused.sandbox.web.post('/_sandbox/oauth/revoke', {});
			const { error } = await refused.lists.run();
			expect(error?.message).toBe('The credential has to be connected again');
			expect(JSON.stringify(error)).not.toContain(refused.sandbox.clientSecret);
		},
	});

	statement('Every token stays confidential', {
		async platform() {
			await getAs(sandbox, sandbox.apiToken);
			expect(JSON.stringify(await sandbox.requests())).not.toContain(sandbox.apiToken);
		},
		client: forEach(['in its message', 'as its code'], async (where) => {
			const apiToken = 'token-that-nobody-may-see';
			const error = where === 'as its code' ? { code: apiToken } : { detail: `No: ${apiToken}` };
			const { credential } = await answering(() => ({ status: 400, body: { errors: [error] } }));
			const data = { ...credential.data, apiToken };
			const outcome = await listEvents({ credential: { ...credential, data } });
			expect(outcome.error?.message).toMatch(/400/);
			expect(JSON.stringify([outcome.error, outcome.run])).not.toContain(apiToken);
		}),
	});

	statement('Step 1: the user is sent to the authorize endpoint', {
		client() {
			const { origin, pathname } = connected.authorizeUrl;
			expect(origin + pathname).toBe(`${connected.sandbox.authServerUrl}/oauth/authorize`);
		},
	});

	statement('Step 2: the consent leads back to the redirect URL with code and state', {
		async platform() {
			const { origin, pathname, searchParams } = await partnerApp(sandbox).allowed({ state: 'x' });
			expect(origin + pathname).toBe(sandbox.redirectUri);
			expect([...searchParams.keys()].sort()).toEqual(['code', 'state']);
		},
	});

	statement('Step 3: the code is exchanged for an access token and a refresh token', {
		async platform() {
			const app = partnerApp(sandbox);
			const code = await app.code();
			const { data } = await app.exchange(code);
			expect(data).toMatchObject({
				access_token: expect.stringMatching(/./) as string,
				refresh_token: expect.stringMatching(/./) as string,
			});
			expect((await app.exchange(code)).status).toBe(400);
		},
		client() {
			expect(Object.keys(connected.storedTokens())).toEqual(
				expect.arrayContaining(['access_token', 'refresh_token']),
			);
		},
	});

	statement('Step 4: the API is called with the access token', {
		async client() {
			const { error } = await connected.lists.run();
			expect(error).toBeUndefined();
			const sent = (await connected.sandbox.requests()).at(-1);
			expect(sent).toMatchObject({ path: '/v1/events', tokenKind: 'access_token', status: 200 });
		},
	});

	statement(
		'Step 5: before or after its expiry the access token is refreshed',
		{
			async platform() {
				const app = partnerApp(sandbox);
				const { data: first } = await app.exchange(await app.code());
				const { data: next } = await app.refresh(first.refresh_token);
				expect((await getAs(sandbox, `Bearer ${next.access_token}`)).status).toBe(200);
			},
			async client() {
				const before = connected.storedTokens()['access_token'];
				await connected.expireToken();
				const { error, items } = await connected.lists.run();
				expect(error).toBeUndefined();
				expect(items).toHaveLength(1);
				expect(connected.storedTokens()['access_token']).not.toBe(before);
			},
		},
		{ note: 'n8n refreshes after a 401, and sends the request again that met it.' },
	);

	statement('From `expires_in` and `created_at` an app can compute the expiry', {
		async platform() {
			const app = partnerApp(await exactPlatform({ tokenTtl: 90 }));
			const { data } = await app.exchange(await app.code());
			const leftSeconds = data.created_at + data.expires_in - Date.now() / 1000;
			expect(leftSeconds).toBeGreaterThan(0);
			expect(leftSeconds).toBeLessThanOrEqual(90);
		},
	});

	statement('How long a code lives is not specified: it is exchanged at once', {
		async client() {
			const [exchange] = await connected.tokenRequests();
			expect(exchange).toMatchObject({ status: 200 });
		},
	});

	statement('Whether a refresh brings another refresh token is not specified', {
		platform: forEach([true, false], async (rotateRefresh) => {
			const app = partnerApp(await exactPlatform({ rotateRefresh }));
			const { data: first } = await app.exchange(await app.code());
			const { data: second } = await app.refresh(first.refresh_token);
			expect(second.refresh_token === first.refresh_token).toBe(!rotateRefresh);
			const again = await app.refresh(first.refresh_token);
			expect(again.status).toBe(rotateRefresh ? 400 : 200);
			expect((await app.refresh(second.refresh_token)).status).toBe(200);
		}),
		client: forEach([true, false], async (rotateRefresh) => {
			const app = await connectedApp({ rotateRefresh });
			const before = { ...app.storedTokens() };
			for (let times = 0; times < 2; times++) {
				await app.expireToken();
				expect((await app.lists.run()).error).toBeUndefined();
			}
			const { refresh_token } = app.storedTokens();
			expect(refresh_token === before['refresh_token']).toBe(!rotateRefresh);
		}),
	});

	const refusals: Array<SandboxOptions['refreshRefusal']> = [
		'invalid_grant',
		'invalid_request',
		'invalid_scope',
		'403',
		'html',
	];
	statement('What the token endpoint answers to a mistake is not specified', {
		client: forEach(refusals, async (refreshRefusal) => {
			const app = await connectedApp({ refreshRefusal });
			await app.sandbox.web.post('/_sandbox/oauth/revoke', {});
			const { error } = await app.lists.run();
			expect(error?.message).toBe('The credential has to be connected again');
		}),
	});
});
