import { createApi } from '../../../nodes/EventPlatform/core/http/api';
import { createPace } from '../../../nodes/EventPlatform/core/pace/pace';
import type { Answer } from '../../../nodes/EventPlatform/core/http/ports';
import { createRateLimit } from '../../../sandbox/access/rateLimit';
import { VirtualClock } from '../../support/virtualClock';

interface Scenario {
	/** When each process starts, and how many requests it makes. */
	processes: Array<{ startsMs: number; requests: number }>;
	told: boolean;
	line: 'loopback' | 'network';
}

const seeds = [7, 11, 23, 42, 99, 1_234];

function randomOf(seed: number) {
	let state = seed * 7_919;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** From the first request to the last, as the sandbox's limiter counts them. */
async function share({ processes, told, line }: Scenario, seed: number) {
	const clock = new VirtualClock();
	const limiter = createRateLimit(5);
	const random = randomOf(seed);
	const start = clock.now();
	const taken: Array<{ at: number; by: number }> = [];
	let refused = 0;
	const travelMs = () =>
		line === 'network' ? 60 + 20 * random() : 2 + 6 * random() + (random() < 0.02 ? 50 : 0);

	const platform = (by: number) => async (): Promise<Answer> => {
		await clock.sleep(travelMs());
		const { allowed, remaining } = limiter.take('token', clock.now());
		if (allowed) taken.push({ at: clock.now(), by });
		else refused++;
		await clock.sleep(travelMs());
		const counts = {
			'ratelimit-interval-limit': '5',
			'ratelimit-interval-remaining': String(remaining),
		};
		const headers = { ...(told && counts), ...(!allowed && told && { 'retry-after': '1' }) };
		return { status: allowed ? 200 : 429, headers, body: {} };
	};

	const work = processes.map(async ({ startsMs, requests }, index) => {
		await clock.sleep(startsMs);
		const pace = createPace({ clock });
		const api = createApi({ send: platform(index), clock, pace, random });
		let left = requests;
		const one = async () => {
			while (left-- > 0) await api({ method: 'GET', path: '/ping' });
		};
		await Promise.all(Array.from({ length: 10 }, one));
	});
	await clock.run(Promise.all(work));
	/** While all of them were at it, who got how much? */
	const ends = processes.map((_, by) => Math.max(...taken.map((t) => (t.by === by ? t.at : 0))));
	const until = Math.min(...ends);
	const from = start + Math.max(...processes.map(({ startsMs }) => startsMs));
	const together = taken.filter(({ at }) => at >= from && at <= until);
	const least = Math.min(
		...processes.map((_, by) => together.filter((one) => one.by === by).length),
	);
	return {
		used: taken.length / (((clock.now() - start) / 1_000) * 5),
		refused: refused / (taken.length + refused),
		fairness: (least / together.length) * processes.length,
	};
}

const evenly = (count: number, gapMs: number) =>
	Array.from({ length: count }, (_, index) => ({
		startsMs: index * gapMs,
		requests: 400 / count,
	}));

const alone = [{ startsMs: 0, requests: 400 }];
const earlier = [
	{ startsMs: 0, requests: 300 },
	{ startsMs: 0, requests: 100 },
];

/** Means over the seeds: at least so much used, at most so much refused, at least so much of a fair part. */
const rows: Array<[string, Scenario['processes'], boolean, number, number, number]> = [
	['alone', alone, true, 0.92, 0.012, 0.99],
	['alone, told nothing', alone, false, 0.92, 0.012, 0.99],
	['two at once', evenly(2, 0), true, 0.9, 0.02, 0.7],
	['two, 2 s apart', evenly(2, 2_000), true, 0.88, 0.035, 0.5],
	['two, 10 s apart', evenly(2, 10_000), true, 0.9, 0.02, 0.6],
	['two, one done earlier', earlier, true, 0.9, 0.02, 0.65],
	['two at once, told nothing', evenly(2, 0), false, 0.8, 0.09, 0.55],
	['two, 10 s apart, told nothing', evenly(2, 10_000), false, 0.8, 0.09, 0.6],
	['three', evenly(3, 1_000), true, 0.86, 0.09, 0.15],
	['five', evenly(5, 1_000), true, 0.86, 0.2, 0.1],
];

describe.each(['loopback', 'network'] as const)('over the %s', (line) => {
	test.each(rows)('%s: the limit is used, shared fairly and seldom hit', async (_, ...row) => {
		const [processes, told, use, hit, fair] = row;
		const results: Array<Awaited<ReturnType<typeof share>>> = [];
		for (const seed of seeds) {
			results.push(await share({ processes, told, line }, seed));
		}
		const mean = (of: 'used' | 'refused' | 'fairness') =>
			results.reduce((sum, one) => sum + one[of], 0) / results.length;
		expect(mean('used')).toBeGreaterThan(use);
		expect(mean('refused')).toBeLessThan(hit);
		expect(mean('fairness')).toBeGreaterThan(fair);
	});
});
