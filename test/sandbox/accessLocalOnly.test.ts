import { request } from 'node:http';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;
let port: string;
beforeAll(async () => {
	sandbox = await sandboxForTests();
	({ port } = new URL(sandbox.baseUrl));
});

/** As a browser would send it, with headers that no client library lets one set. */
function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
	return new Promise((answered, failed) => {
		request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
			response.resume();
			answered(response.statusCode ?? 0);
		})
			.on('error', failed)
			.end();
	});
}

const guarded = [
	['GET', '/'],
	['GET', '/page/page.js'],
	['GET', '/_sandbox/page'],
	['GET', '/_sandbox/page/sessions/x/people'],
	['GET', '/_sandbox/requests'],
	['GET', '/_sandbox/deliveries'],
	['GET', '/_sandbox/state'],
	['GET', '/_sandbox/faults'],
	['POST', '/_sandbox/faults'],
	['DELETE', '/_sandbox/faults'],
	['POST', '/_sandbox/reset'],
	['POST', '/_sandbox/workspace'],
	['POST', '/_sandbox/webhooks'],
	['POST', '/_sandbox/oauth/issue'],
	['POST', '/_sandbox/oauth/revoke'],
	['POST', '/_sandbox/deliveries/x/redeliver'],
] as const;

describe.each(guarded)('%s %s', (method, path) => {
	test.each([
		['a name that was pointed at this machine', () => ({ host: `attacker.example:${port}` })],
		['a name that only looks like this machine', () => ({ host: `localhost.attacker.example` })],
		['a name that starts like an address', () => ({ host: `127.0.0.1.attacker.example:${port}` })],
		['the form of another site', () => ({ origin: 'https://attacker.example' })],
		['a page of another port', () => ({ origin: 'http://127.0.0.1:1' })],
		['a page in a sandboxed frame', () => ({ origin: 'null' })],
		[
			'an image on another site',
			() => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
		],
	])('is closed to %s', async (_, headers) => {
		const status = await send(method, path, { host: `127.0.0.1:${port}`, ...headers() });
		expect(status).toBe(403);
	});
});

test.each([
	['by its address', () => ({ host: `127.0.0.1:${port}` })],
	['as localhost', () => ({ host: `localhost:${port}` })],
	['by an IPv6 address', () => ({ host: `[::1]:${port}` })],
	['from its own page', () => ({ host: `localhost:${port}`, origin: `http://localhost:${port}` })],
])('the page and the control paths are open %s', async (_, headers) => {
	expect(await send('GET', '/', headers())).toBe(200);
	expect(await send('GET', '/_sandbox/state', headers())).toBe(200);
});

test('a link on another site may lead to the page', async () => {
	const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
	expect(await send('GET', '/', { host: `127.0.0.1:${port}`, ...headers })).toBe(200);
});

test('the API is open under any name, as a token is needed there', async () => {
	const headers = { host: `host.docker.internal:${port}`, authorization: sandbox.apiToken };
	expect(await send('GET', '/v1/events', headers)).toBe(200);
});
