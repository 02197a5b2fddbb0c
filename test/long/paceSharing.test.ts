import { createApi } from '../../nodes/EventPlatform/core/http/api';
import { createPace } from '../../nodes/EventPlatform/core/pace/pace';
import type { Answer } from '../../nodes/EventPlatform/core/http/ports';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { random } from '../support/random';
import {
	mean,
	onAnUnevenLine,
	scenes,
	secondsUntilFull,
	sharesOf,
	sharesOfCrowd,
	whenConnectionsOpen,
} from '../support/sharing';
import { VirtualClock } from '../support/virtualClock';

const worlds = limiters.flatMap((limiter) => [
	{ limiter, told: true, headers: 'told' },
	{ limiter, told: false, headers: 'told nothing' },
]);

describe.each(worlds)('a $limiter limiter, $headers', (world) => {
	test.each([
		{ count: 1, used: 93, refused: 0.5, fairness: 1 },
		{ count: 2, used: 88, refused: 6, fairness: 0.86 },
		{ count: 3, used: 86, refused: 9, fairness: 0.82 },
		{ count: 5, used: 84, refused: 13, fairness: 0.8 },
		{ count: 8, used: 82, refused: 20, fairness: 0.78 },
		{ count: 12, used: 80, refused: 30, fairness: 0.75 },
	])('$count processes use the limit, share it fairly and seldom hit it', ({ count, ...bar }) => {
		const shares = sharesOf(world, count);
		expect(shares.used).toBeGreaterThanOrEqual(bar.used);
		expect(shares.refused).toBeLessThanOrEqual(bar.refused);
		expect(shares.fairness).toBeGreaterThanOrEqual(bar.fairness);
	});

	test.each([
		[2, 9],
		[4, 13],
		[8, 18],
	])('%i that begin together share each half minute', (count, refused) => {
		const shares = sharesOfCrowd(world, count);
		expect(shares.used).toBeGreaterThanOrEqual(86);
		expect(shares.refused).toBeLessThanOrEqual(refused);
		expect(shares.least).toBeGreaterThanOrEqual(0.65);
	});

	test('when one of two ends, the other has all of it again', () => {
		const sharers = [{ startsMs: 0 }, { startsMs: 1_000, endsMs: 120_000 }];
		const all = scenes({ ...world, sharers, endsMs: 240_000 });
		const seconds = mean(all.map((arrivals) => secondsUntilFull(arrivals, 120_000)));
		expect(seconds).toBeLessThanOrEqual(45);
	});

	test('five requests at once arrive within 0.3 s', () => {
		const sharers = [{ startsMs: 0, wantsEveryMs: 1e9, wantsAtOnce: 5 }];
		const all = scenes({ ...world, sharers, endsMs: 3_000 });
		expect(mean(all.map((arrivals) => arrivals[4]?.at ?? Infinity))).toBeLessThanOrEqual(300);
	});

	test('five processes with little to do do not wait', () => {
		const sharers = Array.from({ length: 5 }, (_, index) => ({
			startsMs: 300 * index,
			wantsEveryMs: 10_000,
		}));
		const arrivals = scenes({ ...world, sharers, endsMs: 300_000 }).flat();
		const waited = arrivals.filter(({ sentAt, wantedAt }) => sentAt - wantedAt > 10);
		expect(waited.length).toBeLessThanOrEqual(0.01 * arrivals.length);
		const refused = arrivals.filter(({ isAccepted }) => !isAccepted);
		expect(refused.length).toBeLessThanOrEqual(0.005 * arrivals.length);
	});

	test('beside a stranger who follows no protocol, a process goes on', () => {
		const sharers = [{ startsMs: 0 }, { startsMs: 0, isStranger: true, wantsEveryMs: 500 }];
		const all = scenes({ ...world, sharers, endsMs: 180_000 });
		const late = all.flatMap((arrivals) => arrivals.filter(({ at }) => at > 60_000));
		const ours = late.filter(({ by }) => by === 0);
		const refused = ours.filter(({ isAccepted }) => !isAccepted).length / ours.length;
		const used = late.filter(({ isAccepted }) => isAccepted).length / (all.length * 120 * 5);
		expect(refused).toBeLessThan(0.08);
		expect(used).toBeGreaterThan(0.65);
	});

	test.each([
		['an uneven line', onAnUnevenLine],
		['connections that open slowly', whenConnectionsOpen],
	])('a process alone is seldom refused: %s', (_, measured) => {
		const { used, refused } = measured(world);
		expect(used).toBeGreaterThan(80);
		expect(refused).toBeLessThan(1);
	});
});

test('twelve processes of at most 0.4 requests a second have what they ask for', () => {
	const { used, refused, fairness } = sharesOf({ limiter: 'bucket', told: true }, 12, 0.4);
	expect(used).toBeGreaterThan(90);
	expect(refused).toBeLessThan(1);
	expect(fairness).toBeGreaterThan(0.98);
});

/** With the queue, the repetition of refused requests and the headers of real answers. */
async function through(count: number, limiter: Limiter, seed: number) {
	const clock = new VirtualClock();
	const rateLimit = createRateLimit(5, limiter);
	const draw = random(seed);
	const start = clock.now();
	let accepted = 0;
	let refused = 0;

	const send = async (): Promise<Answer> => {
		await clock.sleep(60 + 20 * draw());
		const { allowed, remaining } = rateLimit.take('token', clock.now());
		if (allowed) accepted += 1;
		else refused += 1;
		await clock.sleep(60 + 20 * draw());
		const counted = {
			'ratelimit-interval-limit': '5',
			'ratelimit-interval-remaining': String(remaining),
		};
		const headers = allowed ? counted : { ...counted, 'retry-after': '1' };
		return { status: allowed ? 200 : 429, headers, body: {} };
	};
	const work = Array.from({ length: count }, async (_, index) => {
		await clock.sleep(1_000 * index);
		const api = createApi({ send, clock, pace: createPace({ clock, random: draw }), random: draw });
		let left = 300 / count;
		const one = async () => {
			while (left-- > 0) await api({ method: 'GET', path: '/ping' });
		};
		await Promise.all(Array.from({ length: 10 }, one));
	});
	await clock.run(Promise.all(work));
	const seconds = (clock.now() - start) / 1_000;
	return { accepted, used: accepted / (5 * seconds), refused: refused / (accepted + refused) };
}

test.each([
	[1, 'sliding', 0.92, 0.005],
	[1, 'fixed', 0.92, 0.005],
	[1, 'bucket', 0.92, 0.005],
	[2, 'sliding', 0.75, 0.06],
	[5, 'sliding', 0.7, 0.13],
] as const)(
	'%i with the whole queue, %s: every request is answered',
	async (count, limiter, use, hit) => {
		const { accepted, used, refused } = await through(count, limiter, 7);
		expect(accepted).toBe(300);
		expect(used).toBeGreaterThan(use);
		expect(refused).toBeLessThan(hit);
	},
);

test.each(limiters)(
	'an even way there and uneven answers cost nobody alone much: %s',
	(limiter) => {
		const line = { travelMs: () => 50, answerMs: (draw: () => number) => 50 + 300 * draw() };
		const sharers = [{ startsMs: 0, requests: 201 }];
		const each = scenes({ limiter, told: true, sharers, endsMs: 120_000, ...line });
		const seconds = mean(each.map((arrivals) => (arrivals.at(-1)?.at ?? Infinity) / 1_000));
		expect((5 * seconds) / 201).toBeLessThan(1.05);
		expect(each.flat().filter(({ isAccepted }) => !isAccepted).length).toBeLessThan(
			each.length / 4,
		);
	},
);
