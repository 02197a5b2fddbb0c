import { shortTime } from '../../../nodes/EventPlatform/core/values/shortTime';

const thisYear = new Date().getFullYear();

test.each([
	['has the year where that is another', Date.UTC(2020, 10, 29, 9, 5), '29 Nov 2020 09:05'],
	['has no year where that is this one', Date.UTC(thisYear, 5, 9, 9, 5), '9 Jun 09:05'],
	['at midnight is no 24', Date.UTC(2020, 10, 29), '29 Nov 2020 00:00'],
	['in the afternoon is no a.m. or p.m.', Date.UTC(2020, 10, 29, 15), '29 Nov 2020 15:00'],
])('a short time %s', (_, ms, words) => {
	expect(shortTime(ms, 'UTC')).toBe(words);
});

test('a short time is that of its time zone', () => {
	expect(shortTime(Date.UTC(2020, 10, 29, 23, 30), 'Asia/Tokyo')).toBe('30 Nov 2020 08:30');
});

test.each([
	['of an unknown time zone', 0, 'Mars/Olympus'],
	['of no time at all', NaN, 'UTC'],
])('there is no short time %s', (_, ms, zone) => {
	expect(shortTime(ms, zone)).toBeUndefined();
});
