import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { startTestServer } from '../support/platform/testServer';
import { runWorkflow } from '../support/n8n/engine';
import { sandboxForTests } from '../support/platform/sandbox';

/** A credential as people fill it in. */

const node = new EventPlatform();
const parameters = { resource: 'account', operation: 'ping' };
const apiToken = 'secret-token-4711';

const pinged = async (data: Record<string, unknown>) =>
	await runWorkflow({
		node,
		parameters,
		credential: { type: 'eventPlatformApi', data: data as never },
	});

test('where Requests per Second is no number, nothing is sent', async () => {
	const { baseUrl, seen } = await startTestServer((response) => response.end('{}'));
	for (const requestsPerSecond of ['2,5', NaN, true, []]) {
		const { error } = await pinged({ baseUrl, apiToken, requestsPerSecond });
		expect(error?.message).toContain("'Requests per Second' in the credential is not a number");
	}
	expect(seen).toEqual([]);
});

test.each(['Bearer ', 'bearer  ', 'Authorization: Bearer ', ' Bearer\t'])(
	'a token that was pasted behind %j is taken without it',
	async (prefix) => {
		const sandbox = await sandboxForTests();
		const { baseUrl } = sandbox;
		const { error } = await pinged({ baseUrl, apiToken: `${prefix}${sandbox.apiToken}` });
		expect(error).toBeUndefined();
	},
);

test('a token pasted behind "Bearer" is in no error, with or without it', async () => {
	const { baseUrl } = await startTestServer((response) =>
		response.writeHead(403).end(JSON.stringify({ errors: [{ detail: `No ${apiToken}.` }] })),
	);
	const { error } = await pinged({ baseUrl, apiToken: `Bearer ${apiToken}` });
	expect(error?.message).toBe('The platform refused access (403)');
	for (const said of [error?.message, error?.description]) expect(said).not.toContain(apiToken);
});
