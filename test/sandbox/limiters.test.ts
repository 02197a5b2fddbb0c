import { limiters } from '../../sandbox/access/rateLimit';
import { sandboxForTests } from '../support/platform/sandbox';
import { bearer, detailOf, getAs } from '../support/platform/requests';

test('a token gets five requests in a second, then a 429 that says when to come back', async () => {
	const sandbox = await sandboxForTests({ rate: 5 });
	const token = await bearer(sandbox);
	const ping = () => getAs(sandbox, token, '/v1/ping');
	const begun = Date.now();
	const now = jest.spyOn(sandbox.platform, 'now').mockReturnValue(begun);
	for (let nth = 0; nth < 5; nth++) expect((await ping()).status).toBe(200);
	const refused = await ping();
	expect(refused.status).toBe(429);
	expect(refused.headers).toMatchObject({
		'retry-after': '1',
		'ratelimit-interval-limit': '5',
		'ratelimit-interval-remaining': '0',
	});
	expect(detailOf(refused)).toMatch(/5 requests/);
	now.mockReturnValue(begun + 1000);
	expect((await ping()).status).toBe(200);
});

test.each(limiters)('--limiter %s is what counts the requests of the API', async (limiter) => {
	const { api, platform } = await sandboxForTests({ rate: 2, limiter });
	const start = 1_700_000_000_900;
	let now = start;
	jest.spyOn(platform, 'now').mockImplementation(() => now);
	const statuses: number[] = [];
	for (const at of [0, 0, 0, 150, 400, 650]) {
		now = start + at;
		statuses.push((await api.get('/ping')).status);
	}
	expect(statuses).toEqual(
		{
			sliding: [200, 200, 429, 429, 429, 429],
			fixed: [200, 200, 429, 200, 200, 429],
			bucket: [200, 200, 429, 429, 429, 200],
		}[limiter],
	);
});
