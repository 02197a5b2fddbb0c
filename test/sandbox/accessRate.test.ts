import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

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
