import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

interface Tokens {
	access_token: string;
	refresh_token: string;
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function issue({ web }: TestSandbox): Promise<Tokens> {
	return (await web.post<Tokens>('/_sandbox/oauth/issue', {})).data;
}

const ask = ({ web }: TestSandbox, authorization: string, path = '/v1/ping') =>
	web.get<unknown>(path, { headers: { Authorization: authorization } });

/** Whether one more request is over the limit, told from those that were accepted alone. */
const overLimit: Record<Limiter, (accepted: number[], now: number, limit: number) => boolean> = {
	sliding: (accepted, now, limit) => accepted.filter((at) => at > now - 1000).length >= limit,
	fixed: (accepted, now, limit) =>
		accepted.filter((at) => Math.floor(at / 1000) === Math.floor(now / 1000)).length >= limit,
	// In any stretch of time: the bucket once, and what flowed into it since.
	bucket: (accepted, now, limit) =>
		accepted.some(
			(since, index) => (accepted.length - index + 1 - limit) * 1000 > (now - since) * limit,
		),
};

test.each(limiters)('%s: refused is exactly what is over the limit', (limiter) => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 8 }),
			fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 }),
			(limit, gaps) => {
				const rate = createRateLimit(limit, limiter);
				const accepted: number[] = [];
				const room = (now: number) => {
					const taken = [...accepted];
					while (!overLimit[limiter](taken, now, limit)) taken.push(now);
					return taken.length - accepted.length;
				};
				let now = 1_000_000;
				for (const gap of gaps) {
					now += gap;
					const isOver = overLimit[limiter](accepted, now, limit);
					const { allowed, remaining, resetAt } = rate.take('token', now);
					expect(allowed).toBe(!isOver);
					if (allowed) accepted.push(now);
					expect(remaining).toBe(room(now));
					// At the time that is told, one more is let through than now.
					expect(resetAt).toBeGreaterThan(now);
					expect(room(Math.ceil(resetAt))).toBeGreaterThan(remaining);
				}
			},
		),
	);
});

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

test.each(limiters)(
	'%s: thousands of tokens that came once are forgotten, one in use is not',
	(limiter) => {
		const rate = createRateLimit(1, limiter);
		for (let index = 0; index < 1000; index++) rate.take(`token-${index}`, 0);
		expect(rate.take('in-use', 5000).allowed).toBe(true);
		for (let index = 0; index < 2000; index++) rate.take(`other-${index}`, 5001);
		expect(rate.take('in-use', 5002).allowed).toBe(false);
	},
);

test('beyond the rate comes 429 with the time to wait, and other tokens are not concerned', async () => {
	const sandbox = await sandboxForTests({ rate: 3, monthly: 100 });
	const first = `Bearer ${(await issue(sandbox)).access_token}`;
	const second = `Bearer ${(await issue(sandbox)).access_token}`;
	const answers = await Promise.all(Array.from({ length: 12 }, () => ask(sandbox, first)));
	const accepted = answers.filter(({ status }) => status === 200);
	const refused = answers.filter(({ status }) => status === 429);
	expect(accepted.length).toBeGreaterThanOrEqual(3);
	expect(refused.length).toBeGreaterThan(0);
	expect(accepted.length + refused.length).toBe(12);
	for (const { headers, data } of refused) {
		expect(headers).toMatchObject({
			'retry-after': '1',
			'ratelimit-interval-limit': '3',
			'ratelimit-interval-remaining': '0',
			'ratelimit-monthly-limit': '100',
			'ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
		});
		expect(data).toMatchObject({ errors: [{ status: '429', code: 'too_many_requests' }] });
	}
	expect((await ask(sandbox, second)).status).toBe(200);
	expect((await ask(sandbox, sandbox.apiToken)).status).toBe(200);
	// What was refused did not count: the month knows the accepted ones only.
	const left = (await ask(sandbox, second)).headers['ratelimit-monthly-remaining'] as string;
	expect(Number(left)).toBe(98);
});

test('a request without a valid token takes nothing from anybody', async () => {
	const sandbox = await sandboxForTests({ rate: 1, monthly: 10 });
	for (let index = 0; index < 5; index++) await ask(sandbox, `Bearer ${sandbox.apiToken}`);
	const { status, headers } = await ask(sandbox, sandbox.apiToken);
	expect(status).toBe(200);
	expect(headers['ratelimit-monthly-remaining']).toBe('9');
});

test('a spent month is a 429 with days to wait, and a refresh does not buy a new one', async () => {
	const sandbox = await sandboxForTests({ monthly: 3 });
	const tokens = await issue(sandbox);
	const bearer = `Bearer ${tokens.access_token}`;
	for (const left of ['2', '1', '0']) {
		expect((await ask(sandbox, bearer)).headers['ratelimit-monthly-remaining']).toBe(left);
	}
	const spent = await ask(sandbox, bearer);
	expect(spent.status).toBe(429);
	const days = Number(spent.headers['retry-after']) / 86_400;
	expect(days).toBeGreaterThan(29.9);
	expect(days).toBeLessThanOrEqual(30);
	expect(spent.data).toMatchObject({
		errors: [{ detail: expect.stringMatching(/All 3 requests of these 30 days/) as string }],
	});
	const { data } = await sandbox.web.post<Tokens>('/oauth/token', undefined, {
		params: {
			grant_type: 'refresh_token',
			client_id: sandbox.clientId,
			client_secret: sandbox.clientSecret,
			refresh_token: tokens.refresh_token,
		},
	});
	expect((await ask(sandbox, `Bearer ${data.access_token}`)).status).toBe(429);
	expect((await ask(sandbox, sandbox.apiToken)).status).toBe(200);
});

test('a restart does not give the month back', async () => {
	const data = join(folder, 'quota.db');
	const before = await sandboxForTests({ monthly: 2, data });
	await ask(before, before.apiToken);
	await ask(before, before.apiToken);
	await before.close();
	const after = await sandboxForTests({ monthly: 2, data });
	expect((await ask(after, after.apiToken)).status).toBe(429);
	await after.reset();
	expect((await ask(after, after.apiToken)).status).toBe(200);
});

test('without limits there are no limits and no headers about them', async () => {
	const sandbox = await sandboxForTests({ rate: 0, monthly: 0 });
	const answers = await Promise.all(
		Array.from({ length: 50 }, () => ask(sandbox, sandbox.apiToken)),
	);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(Object.keys(answers[0]?.headers ?? {}).join()).not.toMatch(/ratelimit/i);
});
