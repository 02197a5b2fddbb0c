import { observe, rateOf, type Consumption } from '../../../nodes/EventPlatform/core/month/month';

const hour = 3_600_000;
const day = 24 * hour;

/** Of answers every ten minutes, each `[hours, remaining]` a straight line from the one before. */
function watch(...points: Array<[hours: number, remaining: number]>): Consumption {
	let seen: Consumption = [];
	for (const [hours, remaining] of points) seen = observe(seen, remaining, hours * hour);
	return seen;
}

test('after that it is the last day that counts, not what was before', () => {
	const seen = watch([0, 10_000], [10, 5_000], [12, 4_000], [35, 3_980], [36, 3_976]);
	expect(rateOf(seen, 3_976, 36 * hour)).toEqual({ perDay: 24, since: 12 * hour });
});

test('months of answers keep no more than a day', () => {
	let seen: Consumption = [];
	for (let minute = 0; minute < 30 * 24 * 60; minute += 5) {
		seen = observe(seen, 100_000 - minute, minute * 60_000);
	}
	expect(seen.length).toBeLessThan(100);
});

describe('at the edges', () => {
	const minute = 60_000;

	test('twenty requests may have overtaken each other, one more is a new month', () => {
		const before = [{ at: 0, remaining: 100 }];
		expect(observe(before, 120, 1)).toEqual(before);
		expect(observe(before, 121, 1)).toEqual([{ at: 1, remaining: 121 }]);
	});

	test('a sample comes every quarter of an hour', () => {
		const before = [{ at: 0, remaining: 100 }];
		expect(observe(before, 90, 15 * minute - 1)).toBe(before);
		expect(observe(before, 90, 15 * minute)).toEqual([
			...before,
			{ at: 15 * minute, remaining: 90 },
		]);
	});

	test('the newest sample that is a day old is kept, older ones are not', () => {
		const before = [0, 1, 2].map((hours) => ({ at: hours * hour, remaining: 100 - hours }));
		expect(observe(before, 50, day + hour)).toEqual([
			...before.slice(1),
			{ at: day + hour, remaining: 50 },
		]);
		expect(observe(before, 50, day - 1)).toHaveLength(4);
		expect(rateOf(before, 50, day + hour)).toEqual({ perDay: 49, since: hour });
	});

	test('an hour is enough for a measure, and nobody spends less than nothing', () => {
		const first = [{ at: 0, remaining: 100 }];
		expect(rateOf(first, 99, hour)).toEqual({ perDay: 24, since: 0 });
		expect(rateOf(first, 99, hour - 1)).toBeUndefined();
		expect(rateOf(first, 110, hour)).toEqual({ perDay: 0, since: 0 });
		expect(rateOf(first, undefined, hour)).toBeUndefined();
	});
});
