import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformApi } from '../../credentials/EventPlatformApi.credentials';
import { freePort } from '../../host/ports';
import { anyServer } from '../support/anyServer';
import { sandboxForTests } from '../support/sandbox';

const { credentials, credentialTest } = (() => {
	const node = new EventPlatform();
	return { credentials: node.description.credentials, credentialTest: node.methods.credentialTest };
})();
const apiToken = 'secret-token-4711';

function tested(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as never);
	const type = 'eventPlatformApi';
	return credentialTest.apiToken.call(context, { id: '1', name: 'Mine', type, data });
}

test('n8n finds the test of an API token on the node', () => {
	const token = credentials?.find(({ name }) => name === 'eventPlatformApi');
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

test('a token that the platform does not accept is named as the cause', async () => {
	const sandbox = await sandboxForTests();
	const { status, message } = await tested({ baseUrl: sandbox.baseUrl, apiToken });
	expect(status).toBe('Error');
	expect(message).toMatch(/does not accept the API token \(401\).*account settings/);
	expect(await sandbox.requests()).toHaveLength(1);
});

test('a workspace that is blocked is named', async () => {
	const { baseUrl } = await anyServer((response) => {
		response.statusCode = 403;
		response.end(JSON.stringify({ errors: [{ detail: `blocked, ${apiToken}` }] }));
	});
	const { message } = await tested({ baseUrl, apiToken });
	expect(message).toMatch(/^The workspace is blocked \(403\)/);
	expect(message).not.toContain(apiToken);
});

test.each<[string, number, string, Record<string, string>, RegExp]>([
	['answers with nothing to everything', 200, '', {}, /answers without a token too/],
	['answers with JSON to everything', 200, '{"status":"ok"}', {}, /answers without a token too/],
	['answers with a page, as n8n does', 200, '<!DOCTYPE html>', {}, /with a page and not with JSON/],
	['has no such path', 404, '', {}, /^There is no http.*\/v1\/ping \(404\)/],
	['leads elsewhere', 302, '', { location: '/login' }, /leads to another address/],
])(
	'a server that %s is something else than the platform',
	async (_, status, body, headers, why) => {
		const { baseUrl } = await anyServer((response) => {
			response.writeHead(status, headers);
			response.end(body);
		});
		const result = await tested({ baseUrl, apiToken });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(why);
		expect(result.message).toContain('so this is not the platform');
	},
);

test.each<[string, string, RegExp]>([
	[
		'no host of that name',
		'https://nowhere.invalid',
		/^The host of https:\/\/nowhere.* is not known/,
	],
	['no URL', 'platform', /not a URL/],
	['no scheme for requests', 'ftp://platform.example', /https:\/\/ or http:\/\//],
	['nothing entered', '', /no 'Base URL'/],
])('the cause is said in words: %s', async (_, baseUrl, why) => {
	expect(await tested({ baseUrl, apiToken })).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(why) as string,
	});
});

test('an address where nothing listens, and one that speaks no HTTPS', async () => {
	const nowhere = `http://127.0.0.1:${await freePort()}`;
	const refused = await tested({ baseUrl: nowhere, apiToken });
	expect(refused.message).toMatch(`Nothing answers at ${nowhere}/v1`);
	const { baseUrl } = await anyServer((response) => response.end());
	const plain = await tested({ baseUrl: baseUrl.replace('http:', 'https:'), apiToken });
	expect(plain.message).toMatch(/^There is no HTTPS at .*write http:\/\/ instead of https:\/\//);
});

test('a token that no header can hold is refused, and not shown', async () => {
	const result = await tested({
		baseUrl: 'http://127.0.0.1:1',
		apiToken: `${apiToken}\n${apiToken}`,
	});
	expect(result.status).toBe('Error');
	expect(result.message).not.toContain(apiToken);
});
