import { createApi } from '../../../nodes/EventPlatform/core/http/api';
import { createPace } from '../../../nodes/EventPlatform/core/pace/pace';
import type { Answer } from '../../../nodes/EventPlatform/core/http/ports';
import { createRateLimit, limiters, type Limiter } from '../../../sandbox/access/rateLimit';
import { random } from '../../support/random';
import {
	counts,
	mean,
	scenes,
	secondsUntilFull,
	sharesOf,
	sharesOfCrowd,
	type Count,
} from '../../support/sharing';
import { VirtualClock } from '../../support/virtualClock';

/** Per cent used at least and refused at most, fairness at least. */
const bars: Record<Count, [used: number, refused: number, fairness: number]> = {
	1: [93, 0.5, 1],
	2: [88, 6, 0.88],
	3: [86, 8, 0.82],
	5: [85, 12, 0.8],
	8: [84, 15, 0.8],
	12: [84, 22, 0.8],
};
/** The least share as a part of the fair one. */
const leastShare = 0.7;
const worlds = limiters.flatMap((limiter) => [
	{ limiter, told: true, headers: 'told' },
	{ limiter, told: false, headers: 'told nothing' },
]);

describe.each(worlds)('a $limiter limiter, $headers', ({ limiter, told }) => {
	test.each(counts)('%i processes use the limit, share it fairly and seldom hit it', (count) => {
		const [used, refused, fairness] = bars[count];
		const shares = sharesOf(limiter, told, count);
		expect(shares.used).toBeGreaterThanOrEqual(used);
		expect(shares.refused).toBeLessThanOrEqual(refused);
		expect(shares.fairness).toBeGreaterThanOrEqual(fairness);
		expect(shares.least).toBeGreaterThanOrEqual(leastShare);
	});

	test('when one of two ends, the other has all of it again', () => {
		const sharers = [{ startsMs: 0 }, { startsMs: 1_000, endsMs: 120_000 }];
		const all = scenes({ limiter, told, sharers, endsMs: 240_000 });
		const seconds = mean(all.map((arrivals) => secondsUntilFull(arrivals, 120_000)));
		expect(seconds).toBeLessThanOrEqual(told ? 15 : 45);
	});

	test('five requests at once arrive within 0.3 s', () => {
		const sharers = [{ startsMs: 0, wantsEveryMs: 1e9, wantsAtOnce: 5 }];
		const all = scenes({ limiter, told, sharers, endsMs: 3_000 });
		expect(mean(all.map((arrivals) => arrivals[4]?.at ?? Infinity))).toBeLessThanOrEqual(300);
	});

	test('five processes with little to do do not wait', () => {
		const sharers = Array.from({ length: 5 }, (_, index) => ({
			startsMs: 300 * index,
			wantsEveryMs: 10_000,
		}));
		const arrivals = scenes({ limiter, told, sharers, endsMs: 300_000 }).flat();
		const waited = arrivals.filter(({ sentAt, wantedAt }) => sentAt - wantedAt > 10);
		expect(waited.length).toBeLessThanOrEqual(0.01 * arrivals.length);
		const refused = arrivals.filter(({ isAccepted }) => !isAccepted);
		expect(refused.length).toBeLessThanOrEqual(0.005 * arrivals.length);
	});

	test('beside a stranger who follows no protocol, a process goes on', () => {
		const sharers = [{ startsMs: 0 }, { startsMs: 0, isStranger: true, wantsEveryMs: 500 }];
		const all = scenes({ limiter, told, sharers, endsMs: 180_000 });
		const late = all.flatMap((arrivals) => arrivals.filter(({ at }) => at > 60_000));
		const ours = late.filter(({ by }) => by === 0);
		const refused = ours.filter(({ isAccepted }) => !isAccepted).length / ours.length;
		const used = late.filter(({ isAccepted }) => isAccepted).length / (all.length * 120 * 5);
		expect(refused).toBeLessThan(0.08);
		expect(used).toBeGreaterThan(0.65);
	});
});

/** Per cent refused at most, among so many that begin together. */
const crowdBars = { 2: 9, 4: 13, 8: 18 } as const;
/** Per cent of the draws in which somebody gets less than half of the fair share. */
const poorAtMost = 9;

describe.each(worlds)('that begin together, a $limiter limiter, $headers', ({ limiter, told }) => {
	test.each([2, 4, 8] as const)('%i processes share each half minute fairly', (count) => {
		const shares = sharesOfCrowd({ limiter, told, count, from: 15_000 });
		expect(shares.used).toBeGreaterThanOrEqual(86);
		expect(shares.refused).toBeLessThanOrEqual(crowdBars[count]);
		expect(shares.least).toBeGreaterThanOrEqual(0.65);
		expect(shares.poor).toBeLessThanOrEqual(poorAtMost);
	});

	test('four do so with clocks that are seconds wrong, as soon as many answers told the time', () => {
		const crowd = { limiter, told, count: 4, clocksMs: 3_000 };
		const shares = sharesOfCrowd({ ...crowd, from: 75_000 });
		expect(shares.refused).toBeLessThanOrEqual(crowdBars[4]);
		expect(shares.least).toBeGreaterThanOrEqual(0.65);
		expect(shares.poor).toBeLessThanOrEqual(poorAtMost);
	});
});

test('twelve processes of at most 0.4 requests a second have what they ask for', () => {
	const { used, refused, fairness } = sharesOf('bucket', true, 12, 0.4);
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
	[5, 'sliding', 0.7, 0.12],
] as const)(
	'%i with the whole queue, %s: every request is answered',
	async (count, limiter, use, hit) => {
		const { accepted, used, refused } = await through(count, limiter, 7);
		expect(accepted).toBe(300);
		expect(used).toBeGreaterThan(use);
		expect(refused).toBeLessThan(hit);
	},
);

test.each([
	['20 to 120 ms', 100, 80, 0.01],
	['20 to 200 ms', 180, 75, 0.01],
])('a process alone on a line with journeys of %s', (_, spreadMs, use, hit) => {
	const travelMs = (draw: () => number) => 20 + spreadMs * draw();
	const sharers = [{ startsMs: 0 }];
	const each = scenes({ limiter: 'sliding', told: false, sharers, endsMs: 240_000, travelMs });
	const all = each.flat();
	const accepted = all.filter(({ isAccepted }) => isAccepted).length;
	expect((100 * accepted) / (each.length * 240 * 5)).toBeGreaterThan(use);
	expect(1 - accepted / all.length).toBeLessThan(hit);
});

test.each(limiters)(
	'an even way there and uneven answers cost nobody alone much: %s',
	(limiter) => {
		const line = { travelMs: () => 50, answerMs: (draw: () => number) => 50 + 300 * draw() };
		const sharers = [{ startsMs: 0, requests: 201 }];
		const each = scenes({ limiter, told: true, sharers, endsMs: 120_000, ...line });
		const seconds = mean(each.map((arrivals) => (arrivals.at(-1)?.at ?? Infinity) / 1_000));
		expect((5 * seconds) / 201).toBeLessThan(1.04);
		expect(each.flat().filter(({ isAccepted }) => !isAccepted).length).toBeLessThan(
			each.length / 4,
		);
	},
);
