import type { AxiosError } from 'axios';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const people = async () =>
	(await sandbox.api.get<{ meta: { record_count: number } }>(`/sessions/${upcomingSession}/people`))
		.data.meta.record_count;
const register = (email: string) =>
	sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));

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
});
