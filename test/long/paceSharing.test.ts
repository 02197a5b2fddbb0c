import { createApi } from '../../nodes/EventPlatform/core/http/api';
import { createPace } from '../../nodes/EventPlatform/core/pace/pace';
import type { Answer } from '../../nodes/EventPlatform/core/http/ports';
import { createRateLimit, limiters, type Limiter } from '../../sandbox/access/rateLimit';
import { random } from '../support/random';
import {
	besideStranger,
	capped,
	crowd,
	even,
	light,
	mean,
	opening,
	scenes,
	secondsUntilFull,
	sharesOf,
	together,
	uneven,
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
		const shares = sharesOf(world, crowd(count));
		expect(shares.used).toBeGreaterThanOrEqual(bar.used);
		expect(shares.refused).toBeLessThanOrEqual(bar.refused);
		expect(shares.fairness).toBeGreaterThanOrEqual(bar.fairness);
	});

	test.each([
		[2, 9],
		[4, 13],
		[8, 18],
	])('%i that begin together share each half minute', (count, refused) => {
		const shares = sharesOf(world, together(count));
		expect(shares.used).toBeGreaterThanOrEqual(86);
		expect(shares.refused).toBeLessThanOrEqual(refused);
		expect(shares.least).toBeGreaterThanOrEqual(0.65);
	});

	test('when one of two ends, the other has all of it again', () => {
		expect(secondsUntilFull(world)).toBeLessThanOrEqual(45);
	});

	test('five requests at once arrive within 0.3 s', () => {
		const sharers = [{ startsMs: 0, wantsEveryMs: 1e9, wantsAtOnce: 5 }];
		const all = scenes(world, { sharers, endsMs: 3_000 });
		expect(mean(all.map((arrivals) => arrivals[4]?.at ?? Infinity))).toBeLessThanOrEqual(300);
	});

	test('five processes with little to do do not wait', () => {
		const { waited, refused } = sharesOf(world, light);
		expect(waited).toBeLessThanOrEqual(1);
		expect(refused).toBeLessThanOrEqual(0.5);
	});

	test('beside a stranger who follows no protocol, a process goes on', () => {
		const { used, refused } = sharesOf(world, besideStranger);
		expect(refused).toBeLessThan(8);
		expect(used).toBeGreaterThan(65);
	});

	test.each([
		['an even line', even, 97],
		['an uneven line', uneven, 80],
		['connections that open slowly', opening, 80],
	])('a process alone is seldom refused: %s', (_, situation, usedAtLeast) => {
		const { used, refused } = sharesOf(world, situation);
		expect(used).toBeGreaterThan(usedAtLeast);
		expect(refused).toBeLessThan(1);
	});
});

test('twelve processes of at most 0.4 requests a second have what they ask for', () => {
	const { used, refused, fairness } = sharesOf({ limiter: 'bucket', told: true }, capped);
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
		const each = scenes({ limiter, told: true }, { sharers, endsMs: 120_000, ...line });
		const seconds = mean(each.map((arrivals) => (arrivals.at(-1)?.at ?? Infinity) / 1_000));
		expect((5 * seconds) / 201).toBeLessThan(1.05);
		expect(each.flat().filter(({ isAccepted }) => !isAccepted).length).toBeLessThan(
			each.length / 4,
		);
	},
);
