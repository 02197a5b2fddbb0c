import '../support/time/fasterClock';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { tokenCredential, unconnectedCredential, fieldsOf } from '../support/n8n/engineConsent';
import { operate } from '../support/n8n/operation';
import type { TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform } from './scene';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});

/* What else section 1 sums up is proven where the other sections say it: 4.2, 4.3, 5.1 and 7. */
describe('1 What the service does', () => {
	test.each(['', '/', '/v1', '/v1/', '/some/path', '/some/path/v1/'])(
		'Paths of resources begin with `/v1` below the root of the API (%j)',
		async (end) => {
			const { credential, seen } = await answering(() => ({ body: { data: [] } }));
			const baseUrl = `${credential.data.baseUrl as string}${end}`;
			const pathed = tokenCredential({ baseUrl, apiToken: 'a-token' });
			await operate(sandbox, 'event.getAll', { limit: 1 }, { credential: pathed });
			const path = end.startsWith('/some/path') ? '/some/path/v1/events' : '/v1/events';
			expect(seen.map(({ url }) => url?.split('?')[0])).toEqual([path]);
		},
	);

	test.each(['', '/', '/ '])(
		'The authorization server has a root of its own, with `/oauth/authorize` and `/oauth/token` (%j)',
		async (end) => {
			const at = { ...sandbox, authServerUrl: `https://login.example/base${end}` };
			expect(await fieldsOf(unconnectedCredential(at))).toMatchObject({
				authUrl: 'https://login.example/base/oauth/authorize',
				accessTokenUrl: 'https://login.example/base/oauth/token',
			});
		},
	);

	// Those are built from public pages. Where a platform does not have one, a 404 says so.
	test('More operations exist than are specified', () => {
		const { properties } = new EventPlatform().description;
		const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
		const names = resources.map((resource) => 'value' in resource && resource.value);
		expect(names).toEqual(
			expect.arrayContaining(['account', 'event', 'person', 'session', 'user', 'webhook']),
		);
	});
});
