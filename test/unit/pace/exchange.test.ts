import {
	afterDate,
	claimAfterMs,
	exchangeEveryMs,
	exchangeFrom,
	restMs,
	unknownDifference,
} from '../../../nodes/EventPlatform/core/pace/exchange';

const every = exchangeEveryMs;

describe('how far the clock of the platform is ahead', () => {
	test('is told within a second and the way by one answer, and more closely by each other', () => {
		const first = afterDate(unknownDifference, 10_000, 9_900, 10_100);
		expect(first).toEqual({ least: -100, most: 1_100 });
		expect(afterDate(first, 12_000, 11_500, 11_700)).toEqual({ least: 300, most: 1_100 });
		expect(afterDate(first, 12_000, 12_400, 12_600)).toEqual({ least: -100, most: 600 });
	});

	test('is seen anew when a clock was set', () => {
		const before = { least: -100, most: 600 };
		expect(afterDate(before, 60_000, 10_000, 10_100)).toEqual({ least: 49_900, most: 51_000 });
		// Both may be true of one moment.
		expect(afterDate(before, 11_000, 10_200, 10_400)).toEqual({ least: 600, most: 600 });
	});
});

test.each([
	['where nothing is known', unknownDifference, 0],
	['where our clock may be right', { least: -10, most: 10 }, 0],
	['where it may just be right', { least: 0, most: 10 }, 0],
	['where it may just be right', { least: -10, most: 0 }, 0],
	['where it is behind', { least: 200, most: 400 }, 300],
	['where it is ahead', { least: -400, most: -200 }, -300],
])('the exchanges are those of the platform, %s', (_, difference, ahead) => {
	const at = 3 * every - ahead;
	expect(exchangeFrom(at, difference)).toEqual({ at, count: 3 });
	expect(exchangeFrom(at - every + 1, difference)).toEqual({ at, count: 3 });
	expect(exchangeFrom(at + 1, difference)).toEqual({ at: at + every, count: 4 });
});

test.each([
	[0, 0, 75],
	[1, 150, 225],
	[2, 300, 375],
	[5, 300, 375],
])('who has %i places claims one between %i and %i ms after an exchange', (places, least, most) => {
	expect(claimAfterMs(places, () => 0)).toBe(least);
	expect(claimAfterMs(places, () => 1)).toBe(most);
});

test('a last place rests until those have claimed who have fewer, and no longer', () => {
	expect([1, 2, 3].map(restMs)).toEqual([112.5, 262.5, 262.5]);
	for (const places of [1, 2]) {
		expect(restMs(places)).toBeGreaterThan(claimAfterMs(places - 1, () => 1));
		expect(restMs(places)).toBeLessThan(claimAfterMs(places, () => 0));
	}
});
