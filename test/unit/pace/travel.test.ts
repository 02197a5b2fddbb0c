import {
	afterLateness,
	afterRoundTrip,
	latenessMs,
	openingLatenessMs,
	spreadMs,
	unknownTravel,
	type Travel,
} from '../../../nodes/EventPlatform/core/pace/travel';

const known: Travel = { trips: 20, leastMs: 100, meanMs: 120, deviationMs: 5, jitterMs: 60 };

test('the first round trip is the mean, half of it the deviation', () => {
	expect(afterRoundTrip(unknownTravel, 100)).toEqual({
		...{ trips: 1, leastMs: 100, meanMs: 100, deviationMs: 50, jitterMs: 40 },
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
	expect(afterRoundTrip({ ...known, jitterMs: 40.01 }, 120).jitterMs).toBe(40);
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
	expect(latenessMs({ ...known, ...travel }, ms)).toBe(lateMs);
});

test('a request that opened its connection was late by a tenth of a second, or more', () => {
	expect(openingLatenessMs(known, 120)).toBe(100);
	expect(openingLatenessMs(known, 250)).toBe(160);
});

test('requests that leave together arrive within four deviations, or what they are apart', () => {
	expect(spreadMs(known)).toBe(60);
	expect(spreadMs({ ...known, deviationMs: 16 })).toBe(64);
});
