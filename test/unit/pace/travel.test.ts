import {
	afterLateness,
	afterPause,
	afterRoundTrip,
	apartMs,
	latenessMs,
	openingLatenessMs,
	unknownTravel,
	type Travel,
} from '../../../nodes/EventPlatform/core/pace/travel';

const known: Travel = {
	...{ trips: 20, leastMs: 100, meanMs: 120, deviationMs: 5 },
	...{ jitterMs: 60, isEven: false },
};

test('the first round trip is the mean, half of it the deviation', () => {
	expect(afterRoundTrip(unknownTravel, 100)).toEqual({
		...{ trips: 1, leastMs: 100, meanMs: 100, deviationMs: 50, jitterMs: 50, isEven: true },
	});
});

test.each<[string, number, Partial<Travel>]>([
	['a slower one', 136, { leastMs: 100, meanMs: 122, deviationMs: 7.75 }],
	['a faster one', 80, { leastMs: 80, meanMs: 115, deviationMs: 8.75 }],
	['one that hung for seconds', 8_120, { leastMs: 100, meanMs: 1_120, deviationMs: 8.75 }],
])('%s counts an eighth for the mean and a quarter for the deviation', (_, ms, expected) => {
	const next = afterRoundTrip(known, ms);
	expect(next).toEqual({ ...known, ...expected, trips: 21, jitterMs: 59.95 });
});

test('what was allowed too much is taken back, but not all of it', () => {
	expect(afterRoundTrip({ ...known, jitterMs: 50.01 }, 120).jitterMs).toBe(50);
	expect(afterLateness(known)).toEqual({ ...known, jitterMs: 90 });
	expect(afterLateness({ ...known, jitterMs: 150 }).jitterMs).toBe(200);
});

test.each<[string, Partial<Travel>, number, number]>([
	['as fast as the fastest: the spare time', {}, 100, 10],
	['somewhat slower: by that and the spare time', {}, 130, 40],
	['slower than what requests are apart: by that', { deviationMs: 20 }, 190, 60],
	['as slow as usual at the most: by what requests are apart', { deviationMs: 15 }, 180, 60],
	['unusually slow: by all of it', {}, 181, 91],
	['before the fastest is known: by what requests are apart at least', { trips: 19 }, 100, 60],
	['and by all of it where it is unusually slow', { trips: 19 }, 181, 91],
	['the first of all: by what requests are apart', { trips: 0, deviationMs: 0 }, 400, 60],
])('how late a request was, %s', (_, travel, ms, lateMs) => {
	expect(latenessMs({ ...known, ...travel }, ms, true)).toBe(lateMs);
});

test('a request that opened its connection was late by a tenth of a second, or more', () => {
	expect(openingLatenessMs(known, 120)).toBe(100);
	expect(openingLatenessMs(known, 250)).toBe(160);
});

const even: Travel = { ...known, jitterMs: 50, isEven: true };

test.each<[string, Travel, boolean, number]>([
	['alone on an even line', even, true, 30],
	['among others', even, false, 50],
	['as long as little is known of it', { ...even, trips: 19 }, true, 50],
	['on an uneven line', known, true, 60],
])('how far apart requests may arrive, %s', (_, travel, isAlone, ms) => {
	expect(apartMs(travel, isAlone)).toBe(ms);
});

test('a request that was late on an even line makes it uneven, until a pause', () => {
	const late = afterLateness(even);
	expect(late).toEqual({ ...even, isEven: false });
	expect(apartMs(late, true)).toBe(50);
	expect(afterPause(late)).toEqual(even);
	expect(afterPause(known)).toEqual(known);
});
