import '../support/time/fasterClock';
import { EventPlatformApi } from '../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformPollingTrigger } from '../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import type { SandboxOptions } from '../../sandbox/options';
import type { RunScene } from '../support/n8n/engine';
import { operate } from '../support/n8n/operation';
import { partnerApp } from './partnerApp';
import { bearer, detailOf, getAs } from '../support/platform/requests';
import type { TestSandbox } from '../support/platform/sandbox';
import { answering, connectedApp, exactPlatform, type ConnectedApp } from './scene';
import { forEach, statement } from './statement';
import { startTestServer } from '../support/platform/testServer';

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
		{},
		{
			note: 'Public pages say: by an owner or admin of the workspace, in the account settings (`docs/credentials.md`).',
		},
	);
});

describe('5.1 How people choose one', () => {
	const nodes = { EventPlatform, EventPlatformTrigger, EventPlatformPollingTrigger };

	statement('Either kind of credential can be chosen in each node', {
		client: forEach(Object.keys(nodes) as Array<keyof typeof nodes>, (name) => {
			const { credentials, properties } = new nodes[name]().description;
			expect(credentials).toMatchObject([
				{
					name: 'eventPlatformApi',
					required: true,
					displayOptions: { show: { authentication: ['apiToken'] } },
				},
				{
					name: 'eventPlatformOAuth2Api',
					required: true,
					displayOptions: { show: { authentication: ['oAuth2'] } },
				},
			]);
			const choice = properties.find((property) => property.name === 'authentication');
			expect(choice?.options).toMatchObject([{ value: 'apiToken' }, { value: 'oAuth2' }]);
		}),
	});
});

describe('5.2 OAuth flow', () => {
	statement(
		'The partner hands in the scopes, an HTTPS redirect URL and a square logo of at least 500 by 500 pixels with a transparent background',
		{},
		{ note: '`docs/oauth2.md` says how.' },
	);

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

	statement('A token endpoint that repeats what it was sent reveals nothing', {
		async client() {
			const echo = await startTestServer((response, _, sent) => {
				const body = JSON.stringify({ error: 'invalid_grant', error_description: sent });
				response.writeHead(400, { 'content-type': 'application/json' }).end(body);
			});
			const api = await startTestServer((response) => response.writeHead(401).end('{}'));
			const { clientSecret } = connected.sandbox;
			const { refresh_token } = connected.storedTokens();
			const at = { baseUrl: api.baseUrl, authServerUrl: echo.baseUrl };
			const data = { ...connected.credential.data, ...at };
			const { error, run } = await listEvents({ credential: { ...connected.credential, data } });
			expect(error?.message).toBe('The credential has to be connected again');
			expect(echo.seen).toHaveLength(1);
			for (const secret of [clientSecret, refresh_token ?? '']) {
				expect(secret).not.toBe('');
				expect(JSON.stringify([error, run])).not.toContain(secret);
			}
		},
	});

	statement('What is secret is masked where people enter it', {
		client: forEach(
			[
				['EventPlatformApi', ['apiToken', 'webhookSecret']],
				['EventPlatformOAuth2Api', ['webhookSecret']],
			] as const,
			([name, secrets]) => {
				const { properties } = new { EventPlatformApi, EventPlatformOAuth2Api }[name]();
				const masked = properties.filter(({ typeOptions }) => typeOptions?.password === true);
				expect(masked.map((property) => property.name)).toEqual(secrets);
			},
		),
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

	statement(
		'A user is led through five steps: authorize, consent, exchange, calls, refresh',
		{
			async platform() {
				const app = partnerApp(sandbox);
				const code = await app.code();
				const { data: first } = await app.exchange(code);
				expect((await getAs(sandbox, `Bearer ${first.access_token}`)).status).toBe(200);
				const { data: next } = await app.refresh(first.refresh_token);
				expect((await getAs(sandbox, `Bearer ${next.access_token}`)).status).toBe(200);
				// A code is good for one exchange.
				expect((await app.exchange(code)).status).toBe(400);
			},
			async client() {
				expect((await connected.lists.run()).items).toHaveLength(1);
				const before = connected.storedTokens()['access_token'];
				await connected.expireToken();
				expect((await connected.lists.run()).items).toHaveLength(1);
				expect(connected.storedTokens()['access_token']).not.toBe(before);
				const statuses = (await connected.sandbox.requests()).map(
					({ path, status }) => `${path} ${status}`,
				);
				expect(statuses).toEqual([
					'/oauth/authorize 302',
					'/oauth/token 200',
					'/v1/events 200',
					'/v1/events 401',
					'/oauth/token 200',
					'/v1/events 200',
				]);
			},
		},
		{
			note: 'n8n refreshes after a 401, and sends the request again that met it. Each step is proven in 4.1. How long a code lives is not specified: n8n exchanges it at once.',
		},
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
