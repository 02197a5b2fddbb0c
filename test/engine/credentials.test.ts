import { faster } from '../support/fasterClock';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { connect } from '../../nodes/EventPlatform/n8n/connect';
import type { SandboxOptions } from '../../sandbox/options';
import { anyServer } from '../support/anyServer';
import {
	connectThroughConsent,
	Engine,
	fieldsOf,
	runWorkflow,
	tokenCredential,
	unconnectedCredential,
} from '../support/engine';
import type { Credential } from '../support/engineCredentials';
import { probe } from '../support/probe';
import { sandboxForTests } from '../support/sandbox';

/** Pings as often as there are items, all at once. */
const ping = probe(async (context) => {
	const { api } = await connect(context);
	const pings = context.getInputData().map(async (_, item) => {
		const { status } = await api({ method: 'GET', path: '/ping' });
		return { json: { status }, pairedItem: { item } };
	});
	return Promise.all(pings);
});

async function connected(options: Partial<SandboxOptions> = {}) {
	const sandbox = await sandboxForTests(options);
	const consent = await connectThroughConsent(sandbox);
	const engine = new Engine({ node: ping, credential: consent.credential });
	const tokenRequests = async () =>
		(await sandbox.requests()).filter(({ path }) => path === '/oauth/token');
	const stored = () => engine.storedCredential.oauthTokenData as Record<string, string>;
	return { sandbox, engine, tokenRequests, stored, ...consent };
}

describe('an API token', () => {
	test('is sent as it is, without a prefix', async () => {
		const sandbox = await sandboxForTests();
		const { items, error } = await new Engine({
			node: ping,
			credential: tokenCredential(sandbox),
		}).run();
		expect(error).toBeUndefined();
		expect(items[0]?.json).toEqual({ status: 200 });
		expect(await sandbox.requests()).toMatchObject([{ path: '/v1/ping', tokenKind: 'api_token' }]);
	});

	test('that is wrong is named as the cause, costs one request, and is not shown', async () => {
		const sandbox = await sandboxForTests();
		const apiToken = 'wrong-token-4711';
		const credential = tokenCredential({ ...sandbox, apiToken });
		const { error } = await new Engine({ node: ping, credential }).run();
		expect(error?.message).toBe('The platform did not accept the credential (401)');
		expect(error?.description).toContain('Open the credential and test it');
		expect(JSON.stringify(error)).not.toContain(apiToken);
		expect(await sandbox.requests()).toHaveLength(1);
	});
});

describe('an OAuth2 credential', () => {
	test('sends people to the consent page with everything that section 4.1 asks for', async () => {
		const { sandbox, authorizeUrl, callback } = await connected();
		expect(authorizeUrl.origin + authorizeUrl.pathname).toBe(
			`${sandbox.authServerUrl}/oauth/authorize`,
		);
		const query = Object.fromEntries(authorizeUrl.searchParams);
		expect(query).toEqual({
			response_type: 'code',
			client_id: sandbox.clientId,
			redirect_uri: sandbox.redirectUri,
			scope: 'events:write webhooks:write',
			state: expect.stringMatching(/.{16,}/) as unknown,
			code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
			code_challenge_method: 'S256',
		});
		expect(callback.searchParams.get('state')).toBe(query.state);
	});

	test('exchanges the code in the body of a form, the client included, and nothing in the query', async () => {
		const { tokenRequests } = await connected({ oauthParams: 'form' });
		const [exchange, ...more] = await tokenRequests();
		expect(more).toEqual([]);
		expect(exchange).toMatchObject({ status: 200, query: {} });
		const inForm = 'client_id client_secret code code_verifier grant_type redirect_uri';
		expect(exchange?.oauth?.inForm.sort().join(' ')).toBe(inForm);
		expect(exchange?.tokenKind).not.toBe('basic');
	});

	test('is sent as a bearer token', async () => {
		const { sandbox, engine } = await connected();
		await engine.run();
		expect((await sandbox.requests()).at(-1)).toMatchObject({
			path: '/v1/ping',
			tokenKind: 'access_token',
			status: 200,
		});
	});

	test.each([true, false])(
		'is refreshed after a 401, and the new tokens are stored (rotation: %s)',
		async (rotateRefresh) => {
			const { sandbox, engine, tokenRequests, stored } = await connected({ rotateRefresh });
			const before = { ...stored() };
			await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token' }]);
			const { error, items } = await engine.run();
			expect(error).toBeUndefined();
			expect(items[0]?.json).toEqual({ status: 200 });
			expect(stored().access_token).not.toBe(before.access_token);
			expect(stored().refresh_token === before.refresh_token).toBe(!rotateRefresh);
			const refresh = (await tokenRequests()).at(-1);
			expect(refresh?.oauth?.inForm.sort()).toEqual([
				'client_id',
				'client_secret',
				'grant_type',
				'refresh_token',
			]);
			expect((await engine.run()).error).toBeUndefined();
		},
	);

	test('five 401s at once end in one refresh, even when refresh tokens rotate', async () => {
		const { sandbox, engine, tokenRequests } = await connected({ rotateRefresh: true });
		// Only after a first answer do several requests leave together.
		expect((await engine.run()).error).toBeUndefined();
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token' }]);
		const { error, items } = await engine.run([{}, {}, {}, {}, {}]);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual([200, 200, 200, 200, 200]);
		const refused = (await sandbox.requests()).filter(({ status }) => status === 401);
		expect(refused.length).toBeGreaterThan(1);
		const refreshes = (await tokenRequests()).filter(
			({ oauth }) => oauth?.grantType === 'refresh_token',
		);
		expect(refreshes).toHaveLength(1);
	});

	test('whose grant is gone says that it has to be connected again, and why', async () => {
		const { sandbox, engine, stored } = await connected();
		const { access_token, refresh_token } = stored();
		await sandbox.web.post('/_sandbox/oauth/revoke', {});
		const { error } = await engine.run();
		expect(error?.message).toBe('The credential has to be connected again');
		expect(error?.description).toContain('access was revoked');
		expect(error?.description).toContain('Open the credential and connect it');
		for (const secret of [access_token, refresh_token, sandbox.clientSecret]) {
			expect(JSON.stringify(error)).not.toContain(secret);
		}
	});

	test.each<[string, number, string]>([
		['invalid_request', 400, '{"error":"invalid_request"}'],
		['a 401 without a word', 401, ''],
		['a page and a 200', 200, '<!doctype html><title>Maintenance</title>'],
	])('whose refresh is answered with %s has to be connected again', async (_, status, body) => {
		const { credential, api, tokens } = await refusedRefresh(status, body);
		const { error } = await new Engine({ node: ping, credential }).run();
		expect(error?.message).toBe('The credential has to be connected again');
		expect(error?.description).toContain('Open the credential and connect it');
		expect(api.seen).toHaveLength(1);
		expect(tokens.seen).toHaveLength(1);
	});

	test.each([429, 503])('whose refresh is answered with %i is refreshed later', async (status) => {
		const { credential, api, tokens } = await refusedRefresh(status, '{}');
		const { error } = await new Engine({ node: ping, credential }).run();
		expect(error?.message).toBe('The platform cannot be reached');
		expect(tokens.seen.length).toBeGreaterThan(1);
		expect(api.seen).toHaveLength(tokens.seen.length);
	});

	test('that nobody has connected says so', async () => {
		const sandbox = await sandboxForTests();
		const credential = unconnectedCredential(sandbox);
		const { error } = await new Engine({ node: ping, credential }).run();
		expect(error?.message).toBe('The credential has to be connected again');
		expect(await sandbox.requests()).toEqual([]);
	});
});

/** A token that the platform no longer takes, and an authorization server that answers so. */
async function refusedRefresh(status: number, body: string) {
	const type = body.startsWith('{') ? 'application/json' : 'text/html';
	const tokens = await anyServer((response) =>
		response.writeHead(status, { 'content-type': type }).end(body),
	);
	const api = await anyServer((response) => response.writeHead(401).end('{}'));
	const credential: Credential = {
		type: 'eventPlatformOAuth2Api',
		data: {
			baseUrl: api.baseUrl,
			authServerUrl: tokens.baseUrl,
			clientId: 'client',
			clientSecret: 'client-secret',
			oauthTokenData: { access_token: 'old-access', refresh_token: 'old-refresh' },
		},
	};
	return { credential, api, tokens };
}

describe('the test of an OAuth2 credential', () => {
	/** As n8n does it: a node whose only request is the one that the credential describes. */
	const tester = ({ test: described }: ICredentialType): INodeType => {
		const { description } = ping;
		const routing = described && { request: described.request };
		const request = { displayName: 'Temp', name: 'temp', type: 'string', default: '', routing };
		const properties = [...description.properties, request as INodeProperties];
		return { description: { ...description, requestDefaults: {}, properties } };
	};
	const node = tester(new EventPlatformOAuth2Api());

	test.each([
		['events:write webhooks:write', '/v1/events'],
		['admin:read', '/v1/users'],
		['webhooks:read', '/v1/webhooks'],
		['identity:read', '/v1/organization'],
	])('with the scopes %s asks for what they allow', async (scope, path) => {
		const sandbox = await sandboxForTests({ scope });
		const unconnected = unconnectedCredential(sandbox, { scopes: scope.split(' ') });
		for (const end of ['', '/v1/ ']) {
			const { credential } = await connectThroughConsent(sandbox, unconnected);
			const data = { ...credential.data, baseUrl: sandbox.baseUrl + end };
			const { error, items } = await runWorkflow({ node, credential: { ...credential, data } });
			expect(error).toBeUndefined();
			expect(items[0]?.json).toHaveProperty('data');
			expect((await sandbox.requests()).at(-1)).toMatchObject({ path, status: 200 });
		}
	});
});

test('Requests per Second is kept, also below one, and nothing of it leaves it to the platform', async () => {
	const took = async (requestsPerSecond: number | string) => {
		const sandbox = await sandboxForTests({ rate: 0 });
		const token = tokenCredential(sandbox);
		const credential = { ...token, data: { ...token.data, requestsPerSecond } };
		await new Engine({ node: ping, credential }).run([{}, {}, {}]);
		const times = (await sandbox.requests()).map(({ time }) => time);
		return (times.at(2) ?? NaN) - (times[0] ?? NaN);
	};
	const slow = await took(0.1);
	// Two pauses of ten seconds, and whatever the first request took longer to arrive.
	expect(slow).toBeGreaterThan(15_000 / faster);
	for (const empty of ['', 0, -1]) expect(await took(empty)).toBeLessThan(slow);
});

describe('scopes', () => {
	const scopeOf = async (fields: Record<string, unknown>) => {
		const credential = unconnectedCredential(
			{ baseUrl: '', authServerUrl: 'https://x', clientId: '', clientSecret: '' } as never,
			fields as never,
		);
		return (await fieldsOf(credential)).scope;
	};

	test.each([
		['by default, what registration and the trigger need', {}, 'events:write webhooks:write'],
		['those that were selected', { scopes: ['events:read'] }, 'events:read'],
		['read everything', { access: 'readAll' }, 'full:read'],
		[
			'read everything and write some',
			{ access: 'readAll', writeScopes: ['events:write', 'admin:write'] },
			'full:read events:write admin:write',
		],
		['full access', { access: 'full' }, 'full:write'],
		[
			'what is left over from another choice stays out',
			{ access: 'full', scopes: ['events:read'], writeScopes: ['events:write'] },
			'full:write',
		],
		[
			'so does a read scope beside full:read',
			{ access: 'readAll', scopes: ['events:read'] },
			'full:read',
		],
	])('%s', async (_, fields, scope) => expect(await scopeOf(fields)).toBe(scope));

	test('the addresses of the authorization server tolerate a slash', async () => {
		const sandbox = { authServerUrl: 'https://login.example/base/ ' };
		const fields = await fieldsOf(unconnectedCredential(sandbox as never));
		expect(fields.authUrl).toBe('https://login.example/base/oauth/authorize');
		expect(fields.accessTokenUrl).toBe('https://login.example/base/oauth/token');
		expect(fields.authentication).toBe('body');
	});
});
