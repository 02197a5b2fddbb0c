import '../support/time/fasterClock';
import type { INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow } from '../support/n8n/engine';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { upcomingSession } from '../support/platform/seededIds';
import { startTestServer, type TestServer } from '../support/platform/testServer';

/* Somebody whose credential leads to Livestorm reads "Livestorm". A proxy answers in its place, so that nothing leaves this machine. */

const noProxy = { HTTP_PROXY: '', http_proxy: '', NO_PROXY: '', no_proxy: '' };
const before = Object.fromEntries(Object.keys(noProxy).map((name) => [name, process.env[name]]));

let proxy: TestServer;

beforeAll(async () => {
	proxy = await startTestServer((response) => response.writeHead(403).end('{}'));
	Object.assign(process.env, noProxy, { HTTP_PROXY: proxy.baseUrl, http_proxy: proxy.baseUrl });
});

afterAll(() => {
	for (const [name, value] of Object.entries(before)) {
		if (value === undefined) Reflect.deleteProperty(process.env, name);
		else process.env[name] = value;
	}
});

const credential = tokenCredential({
	baseUrl: 'http://api.livestorm.co',
	apiToken: 'token',
});
const node = new EventPlatform();

test('errors name Livestorm', async () => {
	const parameters = { resource: 'session', operation: 'getAll' };
	const { error } = await runWorkflow({ node, credential, parameters });
	expect(proxy.seen.length).toBeGreaterThan(0);
	expect(error?.message).toMatch(/^Livestorm refused access/);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/the platform/i);
});

test('reasons of people, and hints, name Livestorm', async () => {
	const parameters = {
		resource: 'registration',
		operation: 'bulkRegister',
		sessionId: byId(upcomingSession),
		fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } },
	} as INodeParameters;
	const { items, hints } = await runWorkflow({
		node,
		credential,
		parameters,
		items: [{ email: 'ada@example.com' }],
		settings: { onError: 'continueRegularOutput' },
	});
	const shown = JSON.stringify([items, hints]);
	expect(shown).toMatch(/Livestorm refused access/);
	expect(shown).not.toMatch(/the platform/i);
});
