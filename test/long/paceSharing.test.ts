import { limiters } from '../../sandbox/access/rateLimit';
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
	worlds,
} from '../support/sharing';

describe.each(worlds)('a $limiter limiter, told: $told', (world) => {
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
