import axios, { type AxiosError } from 'axios';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

/** The statuses of requests sent one after the other; a lost connection gives its code. */
async function ask(count: number, path = '/ping', method = 'GET'): Promise<Array<number | string>> {
	const seen: Array<number | string> = [];
	for (let index = 0; index < count; index++) {
		const answer = await sandbox.api
			.request({ url: path, method })
			.catch((error: AxiosError) => error.code ?? error.message);
		seen.push(typeof answer === 'string' ? answer : answer.status);
	}
	return seen;
}

const left = async () => (await sandbox.web.get<unknown[]>('/_sandbox/faults')).data;
const people = async () =>
	(await sandbox.api.get<{ meta: { record_count: number } }>(`/sessions/${upcomingSession}/people`))
		.data.meta.record_count;
const register = (email: string) =>
	sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));

test('a fault happens once, to the request that it names, and to no other', async () => {
	await sandbox.faults([{ match: { method: 'GET', path: '/v1/ping' }, do: '500' }]);
	expect(await ask(1, '/events')).toEqual([200]);
	expect(await ask(1, '/ping', 'POST')).toEqual([404]);
	expect(await ask(3)).toEqual([500, 200, 200]);
});

test('as often as it was asked for, after as many as it shall let pass', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: '500', after: 2, times: 3 }]);
	expect(await ask(7)).toEqual([200, 200, 500, 500, 500, 200, 200]);
});

test('several faults on one path follow each other', async () => {
	await sandbox.faults([
		{ match: { path: '/v1/ping' }, do: '429', times: 2 },
		{ match: { path: '/v1/ping' }, do: 'html-502' },
		{ match: { path: '/v1/ping' }, do: 'reset-before' },
	]);
	expect(await ask(5)).toEqual([429, 429, 502, 'ECONNRESET', 200]);
});

test.each([
	['/v1/sessions/:id/people', '/sessions/abc/people', true],
	['/v1/sessions/:id/people', '/sessions/abc/people/def', false],
	['/v1/sessions/:id/people', '/sessions//people', false],
	['/v1/sessions*', '/sessions/abc/people', true],
	['/v1/*/people', '/sessions/abc/people', true],
	['/v1/events', '/events?page[number]=3', true],
	['/v1/event', '/events', false],
	['/v1/event.', '/events', false],
	['/v1/(events|people)', '/events', false],
	['*', '/events', false],
])('the pattern %s and the request %s', async (pattern, path, matches) => {
	const match = { path: pattern.startsWith('/') ? pattern : `/nowhere${pattern}` };
	await sandbox.faults([{ match, do: 'html-502' }]);
	expect((await ask(1, path))[0] === 502).toBe(matches);
});

test('a fault can name one page of a list', async () => {
	await sandbox.faults([
		{ match: { path: '/v1/events', query: { 'page[number]': '1' } }, do: '500' },
	]);
	expect(await ask(1, '/events?page[number]=0&page[size]=1')).toEqual([200]);
	expect(await ask(2, '/events?page[number]=1&page[size]=1')).toEqual([500, 200]);
});

test('429 carries the time to wait that was asked for', async () => {
	await sandbox.faults([
		{ match: { path: '/v1/ping' }, do: '429', retryAfter: 86_400 },
		{ match: { path: '/v1/ping' }, do: '429' },
	]);
	const [long, brief] = [await sandbox.api.get('/ping'), await sandbox.api.get('/ping')];
	expect([long.status, long.headers['retry-after']]).toEqual([429, '86400']);
	expect([brief.status, brief.headers['retry-after']]).toEqual([429, '1']);
	expect(long.data).toMatchObject({ errors: [{ status: '429' }] });
});

test('502 comes as the HTML of a proxy', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'html-502' }]);
	const { status, headers, data } = await sandbox.api.get<string>('/ping');
	expect(status).toBe(502);
	expect(headers['content-type']).toMatch(/^text\/html/);
	expect(data).toMatch(/^<html>/);
});

test('reset-before: the connection breaks and the platform has not acted', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'reset-before' }]);
	await expect(register('ada@example.com')).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(await people()).toBe(0);
});

test('reset-after: the connection breaks the same, but the platform has acted', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'reset-after' }]);
	await expect(register('ada@example.com')).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(await people()).toBe(1);
	expect((await register('ada@example.com')).status).toBe(409);
});

test('truncate: the platform acts and half of its answer arrives', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'truncate' }]);
	await expect(register('ada@example.com')).rejects.toMatchObject({
		message: expect.stringMatching(/aborted/) as string,
	});
	expect(await people()).toBe(1);

	await sandbox.faults([{ match: { path: '/v1/events' }, do: 'truncate' }]);
	const { status, headers, data } = await sandbox.api.get<NodeJS.ReadableStream>('/events', {
		responseType: 'stream',
		decompress: false,
	});
	let text = '';
	const broke = new Promise((resolve) => data.on('error', resolve).on('aborted', resolve));
	data.on('data', (chunk: Buffer) => (text += chunk.toString()));
	await broke;
	expect(status).toBe(200);
	expect(text.length).toBe(Math.floor(Number(headers['content-length']) / 2));
	expect(() => JSON.parse(text) as unknown).toThrow();
});

test('an answer without a body cannot be cut in half: its connection breaks', async () => {
	const { data } = await sandbox.api.post<{ data: { id: string } }>(
		`/sessions/${upcomingSession}/people`,
		personOf('ada@example.com'),
	);
	await sandbox.faults([{ match: { method: 'DELETE', path: '/v1/*' }, do: 'truncate' }]);
	const gone = sandbox.api.delete(`/sessions/${upcomingSession}/people/${data.data.id}`);
	await gone.catch(() => undefined);
	expect(await people()).toBe(0);
});

test('hang: no answer until the client leaves, and the platform does not act', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'hang' }]);
	const leave = new AbortController();
	const waiting = sandbox.api.post(
		`/sessions/${upcomingSession}/people`,
		personOf('ada@example.com'),
		{ signal: leave.signal },
	);
	const outcome = waiting.catch((error: AxiosError) => error.code);
	while ((await sandbox.requests()).length === 0) await new Promise((r) => setTimeout(r, 5));
	expect(await sandbox.requests()).toMatchObject([
		{ status: null, durationMs: null, fault: 'hang' },
	]);
	leave.abort();
	expect(await outcome).toBe('ERR_CANCELED');
	expect(await people()).toBe(0);
});

test('a request that hangs does not keep the sandbox from ending', async () => {
	const other = await sandboxForTests();
	await other.faults([{ match: { path: '/v1/ping' }, do: 'hang' }]);
	const outcome = other.api.get('/ping').catch((error: AxiosError) => error.code);
	while ((await other.requests()).length === 0) await new Promise((r) => setTimeout(r, 5));
	await other.close();
	expect(await outcome).toBe('ECONNRESET');
});

describe('expire-token', () => {
	const issue = async () =>
		(
			await sandbox.web.post<{ access_token: string; refresh_token: string }>(
				'/_sandbox/oauth/issue',
				{},
			)
		).data;
	const ping = async (token: string) =>
		(await sandbox.web.get('/v1/ping', { headers: { Authorization: `Bearer ${token}` } })).status;

	test('ends the access token that was presented, for good, and no other', async () => {
		const [one, other] = [await issue(), await issue()];
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token', after: 1 }]);
		expect(await ping(one.access_token)).toBe(200);
		expect(await ping(one.access_token)).toBe(401);
		expect(await ping(one.access_token)).toBe(401);
		expect(await ping(other.access_token)).toBe(200);
	});

	test('leaves the refresh token alone', async () => {
		const { access_token: token, refresh_token: refreshToken } = await issue();
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token' }]);
		expect(await ping(token)).toBe(401);
		const { data } = await sandbox.web.post<{ access_token: string }>('/oauth/token', undefined, {
			params: {
				grant_type: 'refresh_token',
				client_id: sandbox.clientId,
				client_secret: sandbox.clientSecret,
				refresh_token: refreshToken,
			},
		});
		expect(await ping(data.access_token)).toBe(200);
	});

	test('does nothing to the API token', async () => {
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token' }]);
		expect(await ask(2)).toEqual([200, 200]);
	});
});

test('the token endpoint can fail too', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/oauth/token' }, do: '500' }]);
	expect((await sandbox.web.post('/oauth/token?grant_type=x')).status).toBe(500);
	expect((await sandbox.web.post('/oauth/token?grant_type=x')).status).toBe(401);
});

test('the control paths themselves never fail', async () => {
	await sandbox.faults([{ match: { path: '/*' }, do: '500', times: 9 }]);
	expect((await sandbox.web.get('/_sandbox/faults')).status).toBe(200);
	expect((await sandbox.web.get('/')).status).toBe(200);
	expect(await ask(1)).toEqual([500]);
});

test('what is left is shown, and can be cleared', async () => {
	const match = { path: '/v1/ping' };
	await sandbox.faults([{ match, do: '500', times: 3, after: 1 }]);
	await ask(2);
	expect(await left()).toEqual([{ match, do: '500', times: 2, after: 0 }]);
	expect((await sandbox.web.delete('/_sandbox/faults')).status).toBe(204);
	expect(await left()).toEqual([]);
	expect(await ask(1)).toEqual([200]);
});

test('requests that come at once share the faults exactly', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: '500', after: 10, times: 15 }]);
	const answers = await Promise.all(Array.from({ length: 40 }, () => sandbox.api.get('/ping')));
	expect(answers.filter(({ status }) => status === 500)).toHaveLength(15);
	expect(await left()).toEqual([]);
});

test.each([
	['not an array', { match: { path: '/' }, do: '500' }],
	['no match', [{ do: '500' }]],
	['no path', [{ match: {}, do: '500' }]],
	['a relative path', [{ match: { path: 'v1' }, do: '500' }]],
	['an unknown deed', [{ match: { path: '/' }, do: 'explode' }]],
	['a misspelt key', [{ match: { path: '/' }, do: '500', time: 2 }]],
	['never', [{ match: { path: '/' }, do: '500', times: 0 }]],
	['half a time', [{ match: { path: '/' }, do: '500', times: 0.5 }]],
	['a text for a number', [{ match: { path: '/' }, do: '500', times: '2' }]],
	['a negative wait', [{ match: { path: '/' }, do: '429', retryAfter: -1 }]],
	['an unknown method', [{ match: { path: '/', method: 'BREW' }, do: '500' }]],
	['one good and one bad', [{ match: { path: '/v1/ping' }, do: '500' }, {}]],
])('%s is refused as a whole', async (_, body) => {
	const { status, data } = await sandbox.web.post<unknown>('/_sandbox/faults', body);
	expect(status).toBe(400);
	expect(data).toMatchObject({ errors: [{ detail: expect.stringMatching(/faults/) as string }] });
	expect(await left()).toEqual([]);
});

test('a connection that is reset looks like one that no server ever answered', async () => {
	const silent = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
	await new Promise((listening) => silent.once('listening', listening));
	const { port } = silent.address() as AddressInfo;
	const real = await axios.get(`http://127.0.0.1:${port}/`).catch((e: AxiosError) => e.code);
	silent.close();
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'reset-before' }]);
	expect(await ask(1)).toEqual([real]);
});
