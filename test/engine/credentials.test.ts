import { faster } from '../support/time/fasterClock';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import { EventPlatformApi } from '../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { connect } from '../../nodes/EventPlatform/n8n/connect';
import type { SandboxOptions } from '../../sandbox/options';
import { startTestServer } from '../support/platform/testServer';
import { Engine, runWorkflow } from '../support/n8n/engine';
import { probe } from './probeNode';
import { sandboxForTests } from '../support/platform/sandbox';
import {
	connectThroughConsent,
	tokenCredential,
	unconnectedCredential,
} from '../support/n8n/engineConsent';

const nowhere = {
	baseUrl: '',
	authServerUrl: 'https://login.example/base/ ',
	clientId: 'client',
	clientSecret: 'client-secret',
};

/** Pings as often as there are items, all at once. */
const ping = probe(async (context) => {
	const { client } = await connect(context);
	const pings = context.getInputData().map(async (_, item) => {
		const { status } = await client.send({ method: 'GET', path: '/ping' });
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
	test('that is wrong is named as the cause, costs one request, and is not shown', async () => {
		const sandbox = await sandboxForTests();
		const apiToken = 'wrong-token-4711';
		const credential = tokenCredential({ ...sandbox, apiToken });
		const { error } = await new Engine({ node: ping, credential }).run();
		expect(error?.message).toBe('The platform did not accept the credential (401)');
		expect(error?.description).toContain('Test the credential');
		expect(JSON.stringify(error)).not.toContain(apiToken);
		expect(await sandbox.requests()).toHaveLength(1);
	});
});

describe('an OAuth2 credential', () => {
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
		const grants = (await tokenRequests()).map(({ oauth }) => oauth?.grantType);
		expect(grants.filter((grant) => grant === 'refresh_token')).toHaveLength(1);
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

	interface TokenResponse {
		what: string;
		status: number;
		body: string;
	}

	test.each<TokenResponse>([
		{ what: 'a 401 without a word', status: 401, body: '' },
		{
			what: 'a page and a 200',
			status: 200,
			body: '<!doctype html><title>Maintenance</title>',
		},
	])('whose refresh is answered with $what has to be connected again', async (response) => {
		const { message, refreshes, requests } = await runWithExpired(response);
		expect(message).toBe('The credential has to be connected again');
		expect(refreshes).toBeLessThanOrEqual(1);
		expect(requests).toBe(refreshes);
	});

	test.each([429, 503])('whose refresh is answered with %i is refreshed later', async (status) => {
		const { message, refreshes, requests } = await runWithExpired({ status, body: '{}' });
		expect(message).toBe('The platform cannot be reached');
		expect(refreshes).toBeGreaterThan(1);
		expect(requests).toBe(refreshes);
	});

	test('whose tokens nobody gives out names the address for them beside the other one', async () => {
		const { error } = await refreshAt('http://127.0.0.1:1');
		expect(error?.message).toBe(
			"Nothing answers at the 'Base URL' or the 'Authorization Server URL' of the credential",
		);
		expect(error?.description).toMatch(/the same goes for its 'Authorization Server URL'/);
	});

	async function runWithExpired({ status, body }: Omit<TokenResponse, 'what'>) {
		const type = body.startsWith('{') ? 'application/json' : 'text/html';
		const tokens = await startTestServer((response) =>
			response.writeHead(status, { 'content-type': type }).end(body),
		);
		const { error, requests } = await refreshAt(tokens.baseUrl);
		return { message: error?.message, refreshes: tokens.seen.length, requests };
	}

	async function refreshAt(authServerUrl: string) {
		const api = await startTestServer((response) => response.writeHead(401).end('{}'));
		const at = { ...nowhere, baseUrl: api.baseUrl, authServerUrl };
		const oauthTokenData = { access_token: 'old-access', refresh_token: 'old-refresh' };
		const credential = unconnectedCredential(at, { oauthTokenData });
		const { error } = await new Engine({ node: ping, credential }).run();
		return { error, requests: api.seen.length };
	}
});

/** Gives a node as n8n tests a credential with it. Its only request is the one that the credential describes. */
const tester = ({ test: described }: ICredentialType): INodeType => {
	const { description } = ping;
	const routing = described && { request: described.request };
	const request = { displayName: 'Temp', name: 'temp', type: 'string', default: '', routing };
	const properties = [...description.properties, request as INodeProperties];
	return { description: { ...description, requestDefaults: {}, properties } };
};
const node = tester(new EventPlatformOAuth2Api());

test('the test of an API token reads the list of events with it, with a base URL as people paste it', async () => {
	const sandbox = await sandboxForTests();
	const asks = tester(new EventPlatformApi());
	const data = tokenCredential(sandbox);
	for (const baseUrl of [sandbox.baseUrl, ` ${sandbox.baseUrl}/v1/ `]) {
		const credential = { ...data, data: { ...data.data, baseUrl } };
		const { error, items } = await runWorkflow({ node: asks, credential });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toHaveProperty('data');
	}
	const wrong = { ...data, data: { ...data.data, apiToken: 'wrong-token-4711' } };
	const { error } = await runWorkflow({ node: asks, credential: wrong });
	expect(error).toMatchObject({ httpCode: '401' });
	const asked = await sandbox.requests();
	expect(asked.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 401]);
	expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/v1/events']));
});

test.each([
	['events:write webhooks:write', '/v1/events'],
	['admin:read', '/v1/users'],
	['webhooks:read', '/v1/webhooks'],
	['identity:read', '/v1/organization'],
])(
	'the test of an OAuth2 credential with the scopes %s asks for what they allow',
	async (scope, path) => {
		const sandbox = await sandboxForTests({ scope });
		for (const end of ['', '/v1/ ']) {
			const more = { scopes: scope.split(' '), baseUrl: sandbox.baseUrl + end };
			const { credential } = await connectThroughConsent(sandbox, more);
			const { error, items } = await runWorkflow({ node, credential });
			expect(error).toBeUndefined();
			expect(items[0]?.json).toHaveProperty('data');
			expect((await sandbox.requests()).at(-1)).toMatchObject({ path, status: 200 });
		}
	},
);

test('Requests per Second is kept, also below one, and nothing of it leaves it to the platform', async () => {
	const took = async (requestsPerSecond: number | string) => {
		const sandbox = await sandboxForTests({ rate: 0 });
		const token = tokenCredential(sandbox);
		const credential = { ...token, data: { ...token.data, requestsPerSecond } };
		await new Engine({ node: ping, credential }).run([{}, {}, {}, {}]);
		const times = (await sandbox.requests()).map(({ time }) => time);
		// The first request of a process takes longer to arrive.
		return (times.at(3) ?? NaN) - (times.at(1) ?? NaN);
	};
	const slow = await took(0.1);
	// Two pauses of ten seconds.
	expect(slow).toBeGreaterThan(15_000 / faster);
	for (const empty of ['', 0, -1]) expect(await took(empty)).toBeLessThan(slow);
});
