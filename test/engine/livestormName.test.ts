import '../support/time/fasterClock';
import { operate } from '../support/n8n/operation';
import { bulkRegister, numberedPeople } from '../support/runs/bulkScene';
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

const livestorm = { baseUrl: 'http://api.livestorm.co', apiToken: 'token' };

test('errors name Livestorm', async () => {
	const { error } = await operate(livestorm, 'session.getAll');
	expect(proxy.seen.length).toBeGreaterThan(0);
	expect(error?.message).toMatch(/^Livestorm refused access/);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/the platform/i);
});

test('reasons of people, and hints, name Livestorm', async () => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const { records, hints } = await bulkRegister(livestorm, numberedPeople(1), { settings });
	const shown = JSON.stringify([records, hints]);
	expect(shown).toMatch(/Livestorm refused access/);
	expect(shown).not.toMatch(/the platform/i);
});
