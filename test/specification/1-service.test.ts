import '../support/time/fasterClock';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { tokenCredential, unconnectedCredential, fieldsOf } from '../support/n8n/engineConsent';
import { operate } from '../support/n8n/operation';
import { getAs, resultsOf, type Page } from '../support/platform/requests';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { page } from './pages';
import { connectedApp, exactPlatform, registerInBulk } from './scene';
import { forEach, statement } from './statement';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform({ seedEvents: 51 });
});

describe('1 What the service does', () => {
	statement('A client with an API token gets in', {
		async platform() {
			expect((await getAs(sandbox, sandbox.apiToken)).status).toBe(200);
		},
		async client() {
			const { records, requests } = await operate(sandbox, 'event.getAll', { limit: 1 });
			expect(records).toHaveLength(1);
			expect(requests).toMatchObject([{ tokenKind: 'api_token', status: 200 }]);
		},
	});

	statement('A partner app gets in with OAuth 2.0, for a user of the platform', {
		async platform() {
			const { sandbox: platform, credential } = await connectedApp();
			const { access_token } = credential.data.oauthTokenData as { access_token: string };
			expect((await getAs(platform, `Bearer ${access_token}`)).status).toBe(200);
		},
		async client() {
			const { sandbox: platform, credential } = await connectedApp();
			const asked = await operate(platform, 'event.getAll', { limit: 1 }, { credential });
			expect(asked.records).toHaveLength(1);
			expect(asked.requests).toMatchObject([{ tokenKind: 'access_token', status: 200 }]);
		},
	});

	statement('Nobody else gets in', {
		platform: forEach([undefined, '', 'a guess', 'Bearer a guess'], async (authorization) => {
			expect((await getAs(sandbox, authorization)).status).toBe(401);
		}),
		async client() {
			const credential = tokenCredential({ ...sandbox, apiToken: 'a guess' });
			const { error, requests } = await operate(sandbox, 'event.getAll', {}, { credential });
			expect(error?.message).toContain('(401)');
			expect(requests).toHaveLength(1);
		},
	});

	statement('OAuth 2.0 is open to validated technology partners only', {
		people() {
			expect(page('credentials.md')).toContain('OAuth2 is for official technology partners');
		},
	});

	statement('Lists come in pages', {
		async platform() {
			const { data } = await sandbox.api.get<Page>('/events?page[size]=50');
			expect(data.data).toHaveLength(50);
			expect(data.meta.record_count).toBe(51);
		},
		async client() {
			const { records, sent } = await operate(sandbox, 'event.getAll', { returnAll: true });
			expect(new Set(records.map(({ id }) => id)).size).toBe(51);
			expect(sent).toHaveLength(2);
		},
	});

	statement('Many people are registered by a job that goes on after the answer', {
		async platform() {
			const id = await sandbox.startJob(guestAddresses(3, 'many'));
			await sandbox.jobEnd(id);
			expect(await resultsOf(sandbox, id)).toHaveLength(3);
		},
		async client() {
			const people = guestAddresses(3, 'by-a-job').map((email) => ({ email }));
			const { records } = await registerInBulk(sandbox, people);
			expect(records.map(({ status }) => status)).toEqual(Array(3).fill('registered'));
		},
	});

	statement('Paths of resources begin with `/v1` below the root of the API', {
		platform: forEach(
			['/v2/events', '/v0/events', '/V1/events', '/v1/', '/events'],
			async (path) => {
				expect((await getAs(sandbox, sandbox.apiToken, path)).status).toBe(404);
			},
		),
		client: forEach(['', '/', '/v1', '/v1/'], async (end) => {
			const credential = tokenCredential({ ...sandbox, baseUrl: sandbox.baseUrl + end });
			const { requests } = await operate(sandbox, 'event.getAll', { limit: 1 }, { credential });
			expect(requests).toMatchObject([{ path: '/v1/events', status: 200 }]);
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
