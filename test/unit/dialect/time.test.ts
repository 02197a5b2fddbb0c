import { parseSeconds, parseUnixMs, unixMs } from '../../../nodes/EventPlatform/core/dialect/time';

test.each([
	[1e11, 1e11],
	[99_999_999_999, 99_999_999_999_000],
])('the time %d is %d in milliseconds', (time, ms) => {
	expect(unixMs(time)).toBe(ms);
});

test.each<[unknown, number | undefined]>([
	[1_795_255_200, 1_795_255_200_000],
	[' 1795255200 ', 1_795_255_200_000],
	[1_795_255_200_250, 1_795_255_200_250],
	['1795255200.5', 1_795_255_200_500],
	// A day of a spreadsheet, a day written as a number, and what is no number.
	[46_354.4375, undefined],
	[20_261_128, undefined],
	['2026-11-21T10:00:00Z', undefined],
	[1e20, undefined],
	[null, undefined],
])('%p as Unix time is %p', (value, ms) => {
	expect(parseUnixMs(value)).toBe(ms);
});

test.each([
	[1_800_000_000, 1_800_000_000],
	[1_800_000_000.5, 1_800_000_000],
	// The last second of the last year whose dates can be written in every zone, and the one after it.
	[253_370_764_799, 253_370_764_799],
	[253_370_764_800, undefined],
	['1800000000', undefined],
	['2027-01-15T08:00:00Z', undefined],
	[1e27, undefined],
	[0, undefined],
	[-5, undefined],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
	[true, undefined],
])('the time %j is %s in seconds', (time, seconds) => {
	expect(parseSeconds(time)).toBe(seconds);
});
