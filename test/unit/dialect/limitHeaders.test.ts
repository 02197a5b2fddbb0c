import { parseHeaderTime } from '../../../nodes/EventPlatform/core/dialect/limitHeaders';

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
