import {
	namesItsZone,
	unixSeconds,
	wallTime,
} from '../../../nodes/EventPlatform/fields/typedDates';

const noonInParis = Date.UTC(2026, 10, 28, 11) / 1000;

test.each<[string, unknown, number | undefined]>([
	['without a zone it is meant in that of the workflow', '2026-11-28T12:00:00', noonInParis],
	['with a zone it is meant there', ' 2026-11-28T11:00:00Z ', noonInParis],
	['a day begins at midnight', '2026-11-28', noonInParis - 12 * 3600],
	['a date of JavaScript', new Date(noonInParis * 1000), noonInParis],
	['a date of n8n', { toJSON: () => '2026-11-28T12:00:00.000+01:00' }, noonInParis],
	['a date of n8n that is invalid', { toJSON: () => null }, undefined],
	['Unix seconds stay, without a fraction', noonInParis + 0.25, noonInParis],
	['milliseconds are told from seconds', noonInParis * 1000, noonInParis],
	['words are no date', 'tomorrow', undefined],
	['the days that a spreadsheet counts are none', 46_354.4375, undefined],
])('a filter: %s', (_, value, seconds) => {
	expect(unixSeconds(value, 'Europe/Paris')).toBe(seconds);
});

test.each<[string, unknown, string, string | undefined]>([
	['its own clock', '2026-11-28T10:30:00', 'America/New_York', '2026-11-28 10:30:00'],
	['another clock is converted', '2026-11-28T10:30:00Z', 'America/New_York', '2026-11-28 05:30:00'],
	['in summer as well', '2026-07-01T10:30:00Z', 'Europe/Paris', '2026-07-01 12:30:00'],
	['Unix seconds', noonInParis, 'Europe/Paris', '2026-11-28 12:00:00'],
	['a zone that does not exist', '2026-11-28T10:30:00', 'Middle/Earth', undefined],
	['a day that does not exist', '2026-02-30T10:30:00', 'Europe/Paris', undefined],
])('a planned start: %s', (_, value, zone, expected) => {
	expect(wallTime(value, zone)).toBe(expected);
});

test('what names its zone is told from what does not', () => {
	const zones = ['Z', '.000+01:00', '-0500', '+01', '.5 +01:00', ' UTC', '+01:00[Europe/Paris]'];
	const whole = [...zones, ' Europe/Paris'].map((zone) => `2026-11-28T10:30:00${zone}`);
	const further = ['2026-11-28 10:30:00+01', '2026-11-28T10:30+01', '2026-11-28 10:30 UTC'];
	const named = [...whole, ...further, 1795863600, new Date()];
	const unnamed = ['2026-11-28T10:30:00', '2026-11-28', 'tomorrow'];
	expect([...named, ...unnamed].filter(namesItsZone)).toEqual(named);
});
