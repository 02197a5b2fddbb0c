import '../support/time/fasterClock';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { tokenCredential, unconnectedCredential, fieldsOf } from '../support/n8n/engineConsent';
import { operate } from '../support/n8n/operation';
import { getAs } from '../support/platform/requests';
import type { TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform } from './scene';
import { forEach, statement } from './statement';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});

/* What else section 1 sums up is proven where the other sections say it: 4.2, 4.3, 5.1 and 7. */
describe('1 What the service does', () => {
	statement(
		'OAuth 2.0 is open to validated technology partners only',
		{},
		{ note: '`docs/credentials.md` says it.' },
	);

	statement('Paths of resources begin with `/v1` below the root of the API', {
		platform: forEach(
			['/v2/events', '/v0/events', '/V1/events', '/v1/', '/events'],
			async (path) => {
				expect((await getAs(sandbox, sandbox.apiToken, path)).status).toBe(404);
			},
		),
		client: forEach(['', '/', '/v1', '/v1/', '/some/path', '/some/path/v1/'], async (end) => {
			const { credential, seen } = await answering(() => ({ body: { data: [] } }));
			const baseUrl = `${credential.data.baseUrl as string}${end}`;
			const pathed = tokenCredential({ baseUrl, apiToken: 'a-token' });
			await operate(sandbox, 'event.getAll', { limit: 1 }, { credential: pathed });
			const path = end.startsWith('/some/path') ? '/some/path/v1/events' : '/v1/events';
			expect(seen.map(({ url }) => url?.split('?')[0])).toEqual([path]);
		}),
	});

	statement(
		'The authorization server has a root of its own, with `/oauth/authorize` and `/oauth/token`',
		{
			async platform() {
				const { authServerUrl, web } = sandbox;
				expect((await web.get(`${authServerUrl}/oauth/authorize`)).status).not.toBe(404);
				expect((await web.post(`${authServerUrl}/oauth/token`)).status).not.toBe(404);
			},
			client: forEach(['', '/', '/ '], async (end) => {
				const at = { ...sandbox, authServerUrl: `https://login.example/base${end}` };
				expect(await fieldsOf(unconnectedCredential(at))).toMatchObject({
					authUrl: 'https://login.example/base/oauth/authorize',
					accessTokenUrl: 'https://login.example/base/oauth/token',
				});
			}),
		},
	);

	statement(
		'More operations exist than are specified',
		{
			client() {
				const { properties } = new EventPlatform().description;
				const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
				const names = resources.map((resource) => 'value' in resource && resource.value);
				expect(names).toEqual(
					expect.arrayContaining(['account', 'event', 'person', 'session', 'user', 'webhook']),
				);
			},
		},
		{
			note: 'Those are built from public pages. Where a platform does not have one, a 404 says so.',
		},
	);
});
