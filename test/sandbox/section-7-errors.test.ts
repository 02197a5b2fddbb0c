import type { AxiosError } from 'axios';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';
import { bulk, crowd, openSandbox, type Refused, registration, type Visitor } from './visitor';

describe('7 errors', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox();
		sessionId = await visitor.sessionId();
	});

	test.each([
		[400, 'a malformed request', () => visitor.api.post('/v1/events', { data: 7 })],
		[
			400,
			'a page that does not exist',
			() => visitor.api.get('/v1/events', { params: { 'page[number]': 99 } }),
		],
		[401, 'no token', () => visitor.as().get('/v1/events')],
		[
			403,
			'a missing scope',
			async () => visitor.as(await visitor.bearer('webhooks:read')).get('/v1/events'),
		],
		[404, 'an unknown record', () => visitor.api.get('/v1/events/none')],
		[404, 'an unknown path', () => visitor.api.get('/v1/cats')],
		[
			409,
			'a person who is registered already',
			async () => {
				const person = registration({ email: 'twice@example.org' });
				await visitor.api.post(`/v1/sessions/${sessionId}/people`, person);
				return visitor.api.post(`/v1/sessions/${sessionId}/people`, person);
			},
		],
	])('%i for %s, in the envelope', async (status, _, send) => {
		const answer = await send();
		expect(answer.status).toBe(status);
		const { errors } = answer.data as Refused;
		expect(errors).toHaveLength(1);
		for (const error of errors) {
			expect(Object.keys(error).sort()).toEqual(['code', 'detail', 'status', 'title']);
			expect(Object.values(error).every((text) => typeof text === 'string' && text !== '')).toBe(
				true,
			);
			expect(error.status).toBe(String(status));
		}
		expect(answer.headers['content-type']).toMatch(/^application\/(json|vnd\.api\+json)/);
	});

	test('202 for a job that was accepted and 207 for its results', async () => {
		const path = `/v1/sessions/${sessionId}/people/bulk`;
		const posted = await visitor.api.post<{ id: string }>(path, bulk(crowd(1)));
		expect(posted.status).toBe(202);
		expect((await visitor.api.get(`/v1/jobs/${posted.data.id}/tasks`)).status).toBe(207);
	});

	describe('told to fail, exactly the named requests do', () => {
		beforeEach(() => visitor.sandbox.reset());
		const fault = (action: string, more: object = {}) =>
			visitor.control('faults', [
				{ match: { method: 'GET', path: '/v1/events' }, times: 1, do: action, ...more } as object,
			]);
		const read = () => visitor.api.get<unknown>('/v1/events', { timeout: 300 });

		test.each([
			['500', 500],
			['html-502', 502],
			['429', 429],
		])('%s', async (action, status) => {
			await fault(action, { retryAfter: 7 });
			expect((await visitor.api.get('/v1/sessions')).status).toBe(200);
			const answer = await read();
			expect(answer.status).toBe(status);
			if (status === 429) expect(answer.headers['retry-after']).toBe('7');
			if (status === 502) expect(answer.headers['content-type']).toContain('text/html');
			expect((await read()).status).toBe(200);
		});
	});
});

describe('faults', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
	});
	beforeEach(() => sandbox.reset());

	const people = async () =>
		(
			await sandbox.api.get<{ meta: { record_count: number } }>(
				`/sessions/${upcomingSession}/people`,
			)
		).data.meta.record_count;
	const register = (email: string) =>
		sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));

	test('reset-before: the connection breaks and the platform has not acted', async () => {
		await sandbox.faults([
			{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'reset-before' },
		]);
		await expect(register('ada@example.com')).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(await people()).toBe(0);
	});

	test('reset-after: the connection breaks the same, but the platform has acted', async () => {
		await sandbox.faults([
			{ match: { method: 'POST', path: '/v1/sessions/*' }, do: 'reset-after' },
		]);
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
});
