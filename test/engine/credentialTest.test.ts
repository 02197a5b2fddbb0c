import type { ServerResponse } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformApi } from '../../credentials/EventPlatformApi.credentials';
import { startTestServer, drip } from '../support/platform/testServer';
import { runWorkflow } from '../support/n8n/engine';
import { sandboxForTests } from '../support/platform/sandbox';

const node = new EventPlatform();
const { description, methods } = node;
const { credentialTest } = methods;
const apiToken = 'secret-token-4711';

function tested(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as never);
	const type = 'eventPlatformApi';
	return credentialTest.apiToken.call(context, { id: '1', name: 'Mine', type, data });
}

test('n8n finds the test of an API token on the node', () => {
	const token = description.credentials?.find(({ name }) => name === 'eventPlatformApi');
	expect(Object.keys(credentialTest)).toContain(token?.testedBy);
	// It would be run instead.
	expect(new EventPlatformApi()).not.toHaveProperty('test');
});

test('a token that the platform accepts passes, with a base URL as people paste it', async () => {
	const sandbox = await sandboxForTests();
	const { apiToken: accepted } = sandbox;
	for (const baseUrl of [sandbox.baseUrl, ` ${sandbox.baseUrl}/v1/ `]) {
		expect(await tested({ baseUrl, apiToken: accepted })).toMatchObject({ status: 'OK' });
	}
});

test.each<[string, number, object]>([
	['has an event', 200, { data: [{ id: 'e1', type: 'events', attributes: {} }], meta: {} }],
	['is empty', 200, { data: [], meta: {} }],
	['is empty, and has no page 0', 400, { errors: [{ title: 'There is no such page' }] }],
])(
	'a token passes where there is nothing but the list of events, which %s',
	async (_, status, body) => {
		const { baseUrl, seen } = await startTestServer((response, { headers, url }) => {
			const isKnown = headers.authorization === apiToken;
			const isList = url === '/v1/events?page%5Bsize%5D=1';
			response.writeHead(isKnown ? (isList ? status : 404) : 401).end(JSON.stringify(body));
		});
		expect(await tested({ baseUrl, apiToken })).toMatchObject({ status: 'OK' });
		expect(seen).toHaveLength(2);
		expect(await tested({ baseUrl, apiToken: 'another' })).toMatchObject({ status: 'Error' });
	},
);

const answering =
	(status: number, body = '', headers = {}) =>
	async () => {
		const answer = (response: ServerResponse) => response.writeHead(status, headers).end(body);
		return (await startTestServer(answer)).baseUrl;
	};
const blocked = JSON.stringify({ errors: [{ detail: `blocked, ${apiToken}` }] });

test.each<[string, () => string | Promise<string>, RegExp]>([
	['another token', answering(401), /does not accept the API token \(401\).*account settings/],
	['a blocked workspace', answering(403, blocked), /^The workspace is blocked \(403\)/],
	['a redirect', answering(302, '', { location: '/login' }), /leads to another address, so this/],
	['no URL', () => 'platform', /not a URL/],
	['no host of that name', () => 'https://nowhere.invalid', /^The host of .* is not known/],
	['nobody', () => 'http://127.0.0.1:1', /^Nothing answers at http:\/\/127.0.0.1:1\/v1/],
	[
		'no HTTPS',
		async () => (await answering(200)()).replace('http:', 'https:'),
		/^There is no HTTPS at .*write http:\/\/ instead of https:\/\//,
	],
])('where there is %s, the cause is said in words, without the token', async (_, at, why) => {
	const { status, message } = await tested({ baseUrl: await at(), apiToken });
	expect([status, message]).toEqual(['Error', expect.stringMatching(why)]);
	expect(message).not.toContain(apiToken);
});

test('where an answer never ends, the test of the credential does', async () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
	const { baseUrl } = await startTestServer(drip);
	expect((await tested({ baseUrl, apiToken })).message).toMatch(/^The connection broke/);
});

test.each([['requestsPerSecond', 'Requests per Second']])(
	'where %s is no number, nothing is sent',
	async (name, title) => {
		const { baseUrl, seen } = await startTestServer((response) => response.end('{}'));
		for (const value of ['2,5', NaN, true, []] as never[]) {
			const data = { baseUrl, apiToken, [name]: value };
			const parameters = { resource: 'account', operation: 'ping' };
			const credential = { type: 'eventPlatformApi', data } as const;
			const { error } = await runWorkflow({ node, parameters, credential });
			for (const message of [error?.message, (await tested(data)).message])
				expect(message).toContain(`'${title}' in the credential is not a number`);
		}
		expect(seen).toEqual([]);
	},
);

test.each(['Bearer ', 'bearer  ', 'Authorization: Bearer ', ' Bearer\t'])(
	'a token that was pasted behind %j is taken without it, in the test and in a run',
	async (prefix) => {
		const sandbox = await sandboxForTests();
		const { baseUrl } = sandbox;
		const data = { baseUrl, apiToken: `${prefix}${sandbox.apiToken}` };
		expect(await tested(data)).toMatchObject({ status: 'OK' });
		const parameters = { resource: 'account', operation: 'ping' };
		const credential = { type: 'eventPlatformApi', data } as const;
		expect((await runWorkflow({ node, parameters, credential })).error).toBeUndefined();
	},
);

test('a token pasted behind "Bearer" is in no error, with or without it', async () => {
	const { baseUrl } = await startTestServer((response) =>
		response.writeHead(403).end(JSON.stringify({ errors: [{ detail: `No ${apiToken}.` }] })),
	);
	const data = { baseUrl, apiToken: `Bearer ${apiToken}` };
	const parameters = { resource: 'account', operation: 'ping' };
	const credential = { type: 'eventPlatformApi', data } as const;
	const { error } = await runWorkflow({ node, parameters, credential });
	expect(error?.message).toBe('The platform refused access (403)');
	for (const said of [error?.message, error?.description, (await tested(data)).message])
		expect(said).not.toContain(apiToken);
});

test('a token that no header can hold is refused, and not shown', async () => {
	const baseUrl = 'http://127.0.0.1:1';
	const { status, message } = await tested({ baseUrl, apiToken: `${apiToken}\n${apiToken}` });
	expect(status).toBe('Error');
	expect(message).not.toContain(apiToken);
});
