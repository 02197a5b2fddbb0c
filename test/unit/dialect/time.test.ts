import {
	parseSeconds,
	parseUnixMs,
	plannedStart,
	unixMs,
} from '../../../nodes/EventPlatform/core/dialect/time';

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
	['1800000000', 1_800_000_000],
	['1800000000000', 1_800_000_000],
	['2027-01-15T08:00:00.9Z', 1_800_000_000],
	// The last year whose dates can be written in every zone, and times beyond it.
	['9998-12-31T23:59:59Z', 253_370_764_799],
	['9999-01-01T00:00:00Z', undefined],
	['+010000-01-01T00:00:00Z', undefined],
	[1e27, undefined],
	[0, undefined],
	[-5, undefined],
	['', undefined],
	['soon', undefined],
	// A day written as a number is no moment in 1970.
	['20261128', undefined],
	['Room 5', undefined],
	['Fri, 15 Jan 2027 08:00:00 GMT', undefined],
	[null, undefined],
	[undefined, undefined],
	[true, undefined],
])('the time %j is %s in seconds', (time, seconds) => {
	expect(parseSeconds(time)).toBe(seconds);
});

test.each([
	['2026-11-28T10:30', 'America/New_York', '2026-11-28T15:30:00Z'],
	['2026-11-28 10:30:00', 'Europe/Paris', '2026-11-28T09:30:00Z'],
	['2026-07-01 10:30:00.000', 'Europe/Paris', '2026-07-01T08:30:00Z'],
	['2026-11-28', 'Asia/Tokyo', '2026-11-27T15:00:00Z'],
	// The clocks have gone back at 1:00 UTC, and forward.
	['2026-10-25 03:30:00', 'Europe/Paris', '2026-10-25T02:30:00Z'],
	['2026-03-29 03:30:00', 'Europe/Paris', '2026-03-29T01:30:00Z'],
	['2026-11-28 10:30:00', null, '2026-11-28T10:30:00Z'],
	['2026-11-28 10:30:00Z', 'Middle/Earth', '2026-11-28T10:30:00Z'],
	['2026-11-28T10:30:00+02:00', 'Europe/Paris', '2026-11-28T08:30:00Z'],
	[1_795_858_200, 'Europe/Paris', '2026-11-28T09:30:00Z'],
])('a start %s in %s is at %s', (estimated_started_at, timezone, moment) => {
	expect(plannedStart({ estimated_started_at, timezone })).toBe(Date.parse(moment) / 1_000);
});

test('a start by the clock of a zone that does not exist is at no known moment', () => {
	const session = { estimated_started_at: '2026-11-28 10:30:00', timezone: 'Middle/Earth' };
	expect(plannedStart(session)).toBeUndefined();
});
