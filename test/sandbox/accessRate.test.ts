import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
