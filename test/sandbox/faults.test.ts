import axios, { type AxiosError } from 'axios';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';
import { statuses } from './asking';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const ask = (count: number, path?: string, method?: string) =>
	statuses(sandbox, count, path, method);

const people = async () =>
	(await sandbox.api.get<{ meta: { record_count: number } }>(`/sessions/${upcomingSession}/people`))
		.data.meta.record_count;
const register = (email: string) =>
	sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));

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

test('a connection that is reset looks like one that no server ever answered', async () => {
	const silent = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
	await new Promise((listening) => silent.once('listening', listening));
	const { port } = silent.address() as AddressInfo;
	const real = await axios.get(`http://127.0.0.1:${port}/`).catch((e: AxiosError) => e.code);
	silent.close();
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'reset-before' }]);
	expect(await ask(1)).toEqual([real]);
});
