import {
	clockAheadMs,
	parseHeaderTime,
	withoutRounding,
} from '../../../nodes/EventPlatform/core/dialect/limitHeaders';

const now = Date.UTC(2026, 10, 21, 12);
const yearMs = 366 * 86_400_000;
const clockAt = (time: string) => `Sat, 21 Nov 2026 ${time} GMT`;
const padded = (length: number) => clockAt('12:01:00').padStart(length);

test.each<[string, Record<string, string>, number | undefined]>([
	['not, although it tells a reset', { 'ratelimit-reset': '3' }, undefined],
	['two seconds ahead', { 'retry-after': clockAt('12:00:05'), date: clockAt('12:00:02') }, 3_000],
	['in the longest text that can be a date', { 'retry-after': padded(64) }, 60_000],
	['not in a longer one', { 'retry-after': padded(65) }, undefined],
	['at most a year from now', { 'retry-after': '99999999' }, yearMs],
	['now, which is no time to come', { 'retry-after': clockAt('12:00:00') }, undefined],
	['in a year', { 'retry-after': 'Mon, 22 Nov 2027 12:00:00 GMT' }, yearMs],
])('a pause in Retry-After is understood: %s', (_, headers, inMs) => {
	expect(parseHeaderTime('retry-after', { headers }, now)).toBe(inMs && now + inMs);
});

describe('our clock is ahead of the platform’s', () => {
	test.each([
		['12:00:05', -5_000],
		['11:59:59', 1_000],
		['12:00:00', 0],
	])('at 12:00 by its date of %s by %d ms', (time, aheadMs) => {
		expect(clockAheadMs({ headers: { date: clockAt(time) } }, now)).toBe(aheadMs);
	});

	test.each(['', 'today', '5', padded(65)])(
		'by nobody knows how much where its date is "%s"',
		(date) => {
			expect(clockAheadMs({ headers: { date } }, now)).toBeUndefined();
		},
	);

	test('by nobody knows how much where it sends no date', () => {
		expect(clockAheadMs({ headers: {} }, now)).toBeUndefined();
	});
});

test.each([
	[undefined, 0],
	[1_999, 0],
	[-1_999, 0],
	[2_000, 2_000],
	[-2_000, -2_000],
])('a difference of %s ms counts as %d ms', (aheadMs, counted) => {
	expect(withoutRounding(aheadMs)).toBe(counted);
});
