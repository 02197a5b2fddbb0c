import { timeInWords } from '../../../nodes/EventPlatform/core/report/times';

test.each([
	['Europe/Paris', 'Sat, 28 Nov 2026, 11:30 (Europe/Paris)'],
	['America/New_York', 'Sat, 28 Nov 2026, 05:30 (America/New_York)'],
	[undefined, 'Sat, 28 Nov 2026, 10:30 (UTC)'],
	['Middle/Earth', 'Sat, 28 Nov 2026, 10:30 (UTC)'],
	['DEFAULT', 'Sat, 28 Nov 2026, 10:30 (UTC)'],
	['', 'Sat, 28 Nov 2026, 10:30 (UTC)'],
])('a time in the zone %s is %s', (zone, words) => {
	const seconds = Date.UTC(2026, 10, 28, 10, 30) / 1_000;
	expect(timeInWords(seconds, zone)).toBe(words);
});
