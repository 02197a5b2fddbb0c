import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { crowd, detailOf, openSandbox, bulk, type Page } from './visitor';

describe('8 limits', () => {
	test('50 tasks per request at most', async () => {
		const { api, sessionId } = await openSandbox();
		const path = `/v1/sessions/${await sessionId()}/people/bulk`;
		expect((await api.post(path, bulk(crowd(51)))).status).toBe(400);
		expect((await api.post(path, bulk(crowd(50)))).status).toBe(202);
	});

	test('pages of 20 unless asked otherwise, of 50 at most, from 0', async () => {
		const { api } = await openSandbox({ seedPeople: 60 });
		const { data } = await api.get<Page>('/v1/people');
		expect([data.data.length, data.meta.current_page]).toEqual([20, 0]);
		const most = await api.get<Page>('/v1/people', { params: { 'page[size]': 50 } });
		expect(most.data.data).toHaveLength(50);
		const lowered = await api.get<Page>('/v1/people', { params: { 'page[size]': 51 } });
		expect(lowered.data).toEqual(most.data);
	});

	test('a token gets five requests in a second, then a 429 that says when to come back', async () => {
		const { as, bearer, sandbox } = await openSandbox({ rate: 5 });
		const api = as(await bearer());
		const begun = Date.now();
		const now = jest.spyOn(sandbox.platform, 'now').mockReturnValue(begun);
		const answers = await Promise.all(Array.from({ length: 8 }, () => api.get('/v1/ping')));
		const refused = answers.filter(({ status }) => status === 429);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
		expect(refused).toHaveLength(3);
		for (const answer of refused) {
			expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
			expect(answer.headers['ratelimit-interval-limit']).toBe('5');
			expect(answer.headers['ratelimit-interval-remaining']).toBe('0');
			expect(detailOf(answer)).toMatch(/5 requests/);
		}
		now.mockReturnValue(begun + Number(refused[0]?.headers['retry-after']) * 1000);
		expect((await api.get('/v1/ping')).status).toBe(200);
	});

	test('a spent month is a 429 whose wait is days long', async () => {
		const { api } = await openSandbox({ monthly: 3 });
		for (let i = 0; i < 3; i += 1) expect((await api.get('/v1/ping')).status).toBe(200);
		const answer = await api.get('/v1/ping');
		expect(answer.status).toBe(429);
		expect(Number(answer.headers['retry-after'])).toBeGreaterThan(24 * 3600);
		expect(answer.headers['ratelimit-monthly-remaining']).toBe('0');
	});
});

describe('limiters', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-access-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	const ask = ({ web }: TestSandbox, authorization: string, path = '/v1/ping') =>
		web.get<unknown>(path, { headers: { Authorization: authorization } });

	test('over the turn of a second a fixed window lets twice the limit through, a bucket and a sliding one do not', () => {
		const accepted = (limiter: Limiter) => {
			const rate = createRateLimit(5, limiter);
			const times = [900, 950, 1_000, 1_050].flatMap((at) => Array.from({ length: 5 }, () => at));
			return times.filter((at) => rate.take('token', 60_000 + at).allowed).length;
		};
		expect(limiters.map((limiter) => [limiter, accepted(limiter)])).toEqual([
			['sliding', 5],
			['fixed', 10],
			['bucket', 5],
		]);
	});

	test.each(limiters)('--limiter %s is what counts the requests of the API', async (limiter) => {
		const sandbox = await sandboxForTests({ rate: 2, limiter });
		const start = 1_700_000_000_900;
		let now = start;
		jest.spyOn(sandbox.platform, 'now').mockImplementation(() => now);
		const statuses: number[] = [];
		for (const at of [0, 0, 0, 150, 400, 650]) {
			now = start + at;
			statuses.push((await ask(sandbox, sandbox.apiToken)).status);
		}
		expect(statuses).toEqual(
			{
				sliding: [200, 200, 429, 429, 429, 429],
				fixed: [200, 200, 429, 200, 200, 429],
				bucket: [200, 200, 429, 429, 429, 200],
			}[limiter],
		);
	});
});
