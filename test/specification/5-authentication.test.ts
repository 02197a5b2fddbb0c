import '../support/time/fasterClock';
import { EventPlatformApi } from '../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformPollingTrigger } from '../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import type { SandboxOptions } from '../../sandbox/options';
import type { RunScene } from '../support/n8n/engine';
import { operate } from '../support/n8n/operation';
import type { TestSandbox } from '../support/platform/sandbox';
import { answering, connectedApp, exactPlatform, type ConnectedApp } from './scene';
import { startTestServer } from '../support/platform/testServer';

let sandbox: TestSandbox;
let connected: ConnectedApp;
beforeAll(async () => {
	[sandbox, connected] = await Promise.all([exactPlatform(), connectedApp()]);
});

const listEvents = (scene: Pick<RunScene, 'credential'>) =>
	operate(sandbox, 'event.getAll', { limit: 1 }, scene);

describe('5.1 Schemes', () => {
	test('An API token is sent as it is, without a prefix', async () => {
		const { credential, seen } = await answering(() => ({ body: { data: [] } }));
		await listEvents({ credential });
		expect(seen.map(({ headers }) => headers.authorization)).toEqual(['a-token']);
	});

	test('An access token is sent behind the word Bearer', async () => {
		const { baseUrl } = sandbox;
		const { seen, credential: elsewhere } = await answering(() => ({ body: { data: [] } }));
		const data = { ...connected.credential.data, baseUrl: elsewhere.data.baseUrl ?? baseUrl };
		await listEvents({ credential: { ...connected.credential, data } });
		const { access_token } = connected.storedTokens();
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${access_token}`]);
	});

	test('Clients may send `Accept: application/json`', async () => {
		const { credential, seen } = await answering(() => ({ body: { data: [] } }));
		await listEvents({ credential });
		expect(seen.map(({ headers }) => headers.accept)).toEqual(['application/json']);
	});
});

describe('5.1 How people choose one', () => {
	const nodes = { EventPlatform, EventPlatformTrigger, EventPlatformPollingTrigger };

	test.each(Object.keys(nodes) as Array<keyof typeof nodes>)(
		'Either kind of credential can be chosen in each node (%j)',
		(name) => {
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
		},
	);
});

describe('5.2 OAuth flow', () => {
	test('The client secret stays confidential', async () => {
		const { clientSecret } = connected.sandbox;
		expect(connected.authorizeUrl.href).not.toContain(clientSecret);
		const refused = await connectedApp();
		await refused.sandbox.web.post('/_sandbox/oauth/revoke', {});
		const { error } = await refused.lists.run();
		expect(error?.message).toBe('The credential has to be connected again');
		expect(JSON.stringify(error)).not.toContain(refused.sandbox.clientSecret);
	});

	test('A token endpoint that repeats what it was sent reveals nothing', async () => {
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
	});

	test.each([
		['EventPlatformApi', ['apiToken', 'webhookSecret']],
		['EventPlatformOAuth2Api', ['webhookSecret']],
	] as const)('What is secret is masked where people enter it (%j)', (name, secrets) => {
		const { properties } = new { EventPlatformApi, EventPlatformOAuth2Api }[name]();
		const masked = properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(masked.map((property) => property.name)).toEqual(secrets);
	});

	test.each(['in its message', 'as its code'])(
		'Every token stays confidential (%j)',
		async (where) => {
			const apiToken = 'token-that-nobody-may-see';
			const error = where === 'as its code' ? { code: apiToken } : { detail: `No: ${apiToken}` };
			const { credential } = await answering(() => ({ status: 400, body: { errors: [error] } }));
			const data = { ...credential.data, apiToken };
			const outcome = await listEvents({ credential: { ...credential, data } });
			expect(outcome.error?.message).toMatch(/400/);
			expect(JSON.stringify([outcome.error, outcome.run])).not.toContain(apiToken);
		},
	);

	// n8n refreshes after a 401, and sends the request again that met it. Each step is proven in 4.1. How long a code lives is not specified: n8n exchanges it at once.
	test('A user is led through five steps: authorize, consent, exchange, calls, refresh', async () => {
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
	});

	test.each([true, false])(
		'Whether a refresh brings another refresh token is not specified (%j)',
		async (rotateRefresh) => {
			const app = await connectedApp({ rotateRefresh });
			const before = { ...app.storedTokens() };
			for (let times = 0; times < 2; times++) {
				await app.expireToken();
				expect((await app.lists.run()).error).toBeUndefined();
			}
			const { refresh_token } = app.storedTokens();
			expect(refresh_token === before['refresh_token']).toBe(!rotateRefresh);
		},
	);

	const refusals: Array<SandboxOptions['refreshRefusal']> = [
		'invalid_grant',
		'invalid_request',
		'invalid_scope',
		'403',
		'html',
	];
	test.each(refusals)(
		'What the token endpoint answers to a mistake is not specified (%j)',
		async (refreshRefusal) => {
			const app = await connectedApp({ refreshRefusal });
			await app.sandbox.web.post('/_sandbox/oauth/revoke', {});
			const { error } = await app.lists.run();
			expect(error?.message).toBe('The credential has to be connected again');
		},
	);
});
