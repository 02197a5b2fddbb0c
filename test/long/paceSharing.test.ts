import { limiters } from '../../sandbox/access/rateLimit';
import {
	besideStranger,
	capped,
	busyProcesses,
	even,
	leastShareOf,
	leastShares,
	light,
	mean,
	opening,
	scenes,
	secondsUntilFull,
	sharesOf,
	together,
	togetherOnQuickLine,
	uneven,
	worlds,
	type Shares,
	type Situation,
} from '../support/queue/sharedLimit';

/** The bars in per cent, but for the last two. */
type Bars = Partial<Record<'usedAtLeast' | 'rateLimitedAtMost' | 'waitedAtMost', number>> &
	Partial<Record<'fairness' | 'least', number>>;

const bars: Array<[string, Situation, Bars]> = [
	['one process', busyProcesses(1), { usedAtLeast: 95, rateLimitedAtMost: 0.2 }],
	['2 processes', busyProcesses(2), { usedAtLeast: 93, rateLimitedAtMost: 6, fairness: 0.82 }],
	['3 processes', busyProcesses(3), { usedAtLeast: 90, rateLimitedAtMost: 8, fairness: 0.7 }],
	['5 processes', busyProcesses(5), { usedAtLeast: 85, rateLimitedAtMost: 14, fairness: 0.6 }],
	['8 processes', busyProcesses(8), { usedAtLeast: 82, rateLimitedAtMost: 24, fairness: 0.6 }],
	['12 processes', busyProcesses(12), { usedAtLeast: 76, rateLimitedAtMost: 35, fairness: 0.5 }],
	['2 that begin together', together(2), { usedAtLeast: 86, rateLimitedAtMost: 9, least: 0.3 }],
	['4 that begin together', together(4), { usedAtLeast: 86, rateLimitedAtMost: 13, least: 0.1 }],
	['8 that begin together', together(8), { usedAtLeast: 86, rateLimitedAtMost: 28, least: 0.1 }],
	['five with little to do', light, { waitedAtMost: 1, rateLimitedAtMost: 0.5 }],
	['one beside a stranger', besideStranger, { usedAtLeast: 65, rateLimitedAtMost: 8 }],
	['one on an even line', even, { usedAtLeast: 96, rateLimitedAtMost: 0 }],
	['one on an uneven line', uneven, { usedAtLeast: 74, rateLimitedAtMost: 2.5 }],
	['one whose connections open slowly', opening, { usedAtLeast: 90, rateLimitedAtMost: 1 }],
];

function expectShares(shares: Shares, { usedAtLeast = 0, fairness = 0, least = 0, ...most }: Bars) {
	expect(shares.used).toBeGreaterThanOrEqual(usedAtLeast);
	expect(shares.rateLimited).toBeLessThanOrEqual(most.rateLimitedAtMost ?? 100);
	expect(shares.waited).toBeLessThanOrEqual(most.waitedAtMost ?? 100);
	expect(shares.fairness).toBeGreaterThanOrEqual(fairness);
	expect(shares.least).toBeGreaterThanOrEqual(least);
}

describe.each(worlds)('a $limiter limiter that tells the limit: $hasHeaders', (world) => {
	test.each(bars)('%s: the limit is used, shared fairly and seldom hit', (_, situation, bar) => {
		expectShares(sharesOf(world, situation), bar);
	});

	test.each([2, 3, 5, 8, 12])('of %i processes none starves', (count) => {
		expect(leastShareOf(world, busyProcesses(count))).toBeGreaterThanOrEqual(0.1);
	});

	test('when one of two ends, the other has all of it again', () => {
		expect(secondsUntilFull(world)).toBeLessThanOrEqual(60);
	});

	test('five requests at once arrive within 0.3 s', () => {
		const sharers = [{ startsMs: 0, wantsEveryMs: 1e9, wantsAtOnce: 5 }];
		const all = scenes(world, { sharers, endsMs: 3_000 });
		expect(mean(all.map((arrivals) => arrivals[4]?.at ?? Infinity))).toBeLessThanOrEqual(300);
	});
});

test.each([
	['a busy machine', together(2)],
	['a quick line', togetherOnQuickLine],
])(
	'of two hundred pairs that begin together hardly any has one that gets next to nothing: %s',
	(_, situation) => {
		const shares = leastShares({ limiter: 'sliding', hasHeaders: true }, situation, 200);
		expect(shares[4]).toBeGreaterThan(0.1);
		expect(shares[20]).toBeGreaterThan(0.35);
		expect(shares[100]).toBeGreaterThan(0.7);
	},
);

test('twelve processes of at most 0.4 requests a second have what they ask for', () => {
	const bar = { usedAtLeast: 90, rateLimitedAtMost: 1, fairness: 0.98 };
	expectShares(sharesOf({ limiter: 'bucket', hasHeaders: true }, capped), bar);
});

test.each(limiters)(
	'an even way there and uneven answers cost nobody alone much: %s',
	(limiter) => {
		const line = { travelMs: () => 50, answerMs: (draw: () => number) => 50 + 300 * draw() };
		const sharers = [{ startsMs: 0, requests: 201 }];
		const each = scenes({ limiter, hasHeaders: true }, { sharers, endsMs: 120_000, ...line });
		const seconds = mean(each.map((arrivals) => (arrivals.at(-1)?.at ?? Infinity) / 1_000));
		expect((5 * seconds) / 201).toBeLessThan(1.05);
		expect(each.flat().filter(({ isAccepted }) => !isAccepted).length).toBeLessThan(
			each.length / 4,
		);
	},
);
