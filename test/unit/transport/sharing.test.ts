import { createApi } from '../../../nodes/EventPlatform/transport/api';
import { createPace } from '../../../nodes/EventPlatform/transport/pace';
import type { Answer } from '../../../nodes/EventPlatform/transport/ports';
import { createRateLimit } from '../../../sandbox/access/rateLimit';
import { VirtualClock } from '../../support/virtualClock';

const minutes = 6;

interface Told {
	remaining: boolean;
	retryAfter: boolean;
}

/** Processes that know nothing of each other on one token of the sandbox's limiter, busy all the time. */
async function share(processes: number, told: Told) {
	const clock = new VirtualClock();
	const limiter = createRateLimit(5);
	let seed = 7;
	const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
	const end = clock.now() + minutes * 60_000;
	/** What counts is how they stand once they have met: the last two thirds of the time. */
	const from = clock.now() + minutes * 20_000;
	const accepted = new Array<number>(processes).fill(0);
	let refused = 0;

	function platform(index: number) {
		return async (): Promise<Answer> => {
			await clock.sleep(60 + 20 * random());
			const { allowed, remaining } = limiter.take('token', clock.now());
			if (clock.now() > from && allowed) accepted[index] = (accepted[index] ?? 0) + 1;
			if (clock.now() > from && !allowed) refused++;
			await clock.sleep(60 + 20 * random());
			return {
				status: allowed ? 200 : 429,
				headers: {
					...(told.remaining && {
						'ratelimit-interval-limit': '5',
						'ratelimit-interval-remaining': String(remaining),
					}),
					...(told.retryAfter && !allowed && { 'retry-after': '1' }),
				},
				body: {},
			};
		};
	}

	const work = accepted.map(async (_, index) => {
		// The later ones find a limit that is used up.
		await clock.sleep(index * 5_000);
		const api = createApi({ send: platform(index), clock, pace: createPace({ clock }), random });
		const one = async () => {
			while (clock.now() < end) await api({ method: 'GET', path: '/ping' });
		};
		await Promise.all(Array.from({ length: 10 }, one));
	});
	await clock.run(Promise.all(work));
	const total = accepted.reduce((sum, count) => sum + count, 0);
	return {
		used: total / (minutes * 40 * 5),
		refused: refused / (total + refused),
		shares: accepted.map((count) => count / total),
	};
}

test.each([
	['alone', 1, { remaining: true, retryAfter: true }, 0.95, 0.01],
	['alone, told nothing', 1, { remaining: false, retryAfter: false }, 0.95, 0.01],
	['two', 2, { remaining: true, retryAfter: true }, 0.7, 0.1],
	['two who are told nothing', 2, { remaining: false, retryAfter: false }, 0.7, 0.2],
	['three', 3, { remaining: true, retryAfter: true }, 0.7, 0.2],
])('%s: the limit is used, shared fairly and seldom hit', async (_, processes, told, use, hit) => {
	const { used, refused, shares } = await share(processes, told);
	expect(used).toBeGreaterThan(use);
	expect(refused).toBeLessThan(hit);
	for (const part of shares) expect(part).toBeGreaterThan(0.6 / processes);
});
