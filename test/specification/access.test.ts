import '../support/time/fasterClock';
import type { SandboxOptions } from '../../sandbox/options';
import type { RunScene } from '../support/n8n/engine';
import { fieldsOf, unconnectedCredential } from '../support/n8n/engineConsent';
import { operate } from '../support/n8n/operation';
import type { TestSandbox } from '../support/platform/sandbox';
import { startTestServer } from '../support/platform/testServer';
import { answering, connectedApp, exactPlatform, type ConnectedApp } from './scene';

let sandbox: TestSandbox;
let connected: ConnectedApp;
beforeAll(async () => {
	[sandbox, connected] = await Promise.all([exactPlatform(), connectedApp()]);
});

const listEvents = (scene: Pick<RunScene, 'credential'>) =>
	operate(sandbox, 'event.getAll', { limit: 1 }, scene);

/* n8n itself makes addresses, states and requests for tokens. Here a stand-in does it as n8n does; e2e/credentials shows it in n8n. */
describe('4.1 The connection of an app', () => {
	test.each(['', '/', '/ '])(
		'goes through a server with a root of its own, entered with "%s" at its end',
		async (end) => {
			const at = { ...sandbox, authServerUrl: `https://login.example/base${end}` };
			expect(await fieldsOf(unconnectedCredential(at))).toMatchObject({
				grantType: 'authorizationCode',
				authUrl: 'https://login.example/base/oauth/authorize',
				accessTokenUrl: 'https://login.example/base/oauth/token',
			});
		},
	);

	test('asks for consent with all that the specification names in the query, and nothing secret', () => {
		const { clientId, clientSecret, redirectUri } = connected.sandbox;
		const { href, searchParams } = connected.authorizeUrl;
		expect(Object.fromEntries(searchParams)).toEqual({
			response_type: 'code',
			client_id: clientId,
			redirect_uri: redirectUri,
			scope: 'events:write webhooks:write',
			state: expect.stringMatching(/.{16,}/) as string,
			code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
			code_challenge_method: 'S256',
		});
		expect(href).not.toContain(clientSecret);
	});

	test.each([true, false])(
		'gets an access token, and a new one after a 401, with the refresh token that is current (rotating: %j)',
		async (rotateRefresh) => {
			const app = await connectedApp({ rotateRefresh });
			expect((await app.lists.run()).items).toHaveLength(1);
			for (let times = 0; times < 2; times++) {
				const before = app.storedTokens()['access_token'];
				await app.expireToken();
				expect((await app.lists.run()).items).toHaveLength(1);
				expect(app.storedTokens()['access_token']).not.toBe(before);
			}
			const requests = await app.sandbox.requests();
			expect(requests.map(({ path, status }) => `${path} ${status}`)).toEqual([
				'/oauth/authorize 302',
				'/oauth/token 200',
				'/v1/events 200',
				...Array<string[]>(2).fill(['/v1/events 401', '/oauth/token 200', '/v1/events 200']).flat(),
			]);
			const [exchange, refresh] = (await app.tokenRequests()).map(({ oauth }) => oauth);
			expect(exchange?.grantType).toBe('authorization_code');
			expect(exchange?.inForm.sort().join(' ')).toBe(
				'client_id client_secret code code_verifier grant_type redirect_uri',
			);
			expect(refresh?.grantType).toBe('refresh_token');
			expect(refresh?.inForm.sort().join(' ')).toBe(
				'client_id client_secret grant_type refresh_token',
			);
		},
	);

	const refusals: Array<SandboxOptions['refreshRefusal']> = ['invalid_grant', '403', 'html'];
	test.each(refusals)('that was revoked has to be made again (%j)', async (refreshRefusal) => {
		const app = await connectedApp({ refreshRefusal });
		await app.sandbox.web.post('/_sandbox/oauth/revoke', {});
		const { error } = await app.lists.run();
		expect(error?.message).toBe('The credential has to be connected again');
	});
});

describe('5 What a request shows of a credential', () => {
	test('An API token is sent as it is, without a prefix', async () => {
		const { credential, seen } = await answering(() => ({ body: { data: [] } }));
		await listEvents({ credential });
		expect(seen.map(({ headers }) => headers.authorization)).toEqual(['a-token']);
		expect(seen.map(({ headers }) => headers.accept)).toEqual(['application/json']);
	});

	test('An access token is sent behind the word Bearer', async () => {
		const { seen, credential: elsewhere } = await answering(() => ({ body: { data: [] } }));
		const { baseUrl = '' } = elsewhere.data;
		const data = { ...connected.credential.data, baseUrl };
		await listEvents({ credential: { ...connected.credential, data } });
		const { access_token } = connected.storedTokens();
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${access_token}`]);
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
});
