import { isoTime, parseDate, timeInWords } from '../../../nodes/EventPlatform/core/values/dates';

test.each([
	['Europe/Paris', '5 Dec 2026, 10:00 Paris'],
	['America/New_York', '5 Dec 2026, 04:00 New York'],
	['America/Argentina/Buenos_Aires', '5 Dec 2026, 06:00 Buenos Aires'],
	['Pacific/Auckland', '5 Dec 2026, 22:00 Auckland'],
	['UTC', '5 Dec 2026, 09:00 UTC'],
	['Mars/Olympus', '5 Dec 2026, 09:00 UTC'],
	['local', '5 Dec 2026, 09:00 UTC'],
	['DEFAULT', '5 Dec 2026, 09:00 UTC'],
	['Paris', '5 Dec 2026, 09:00 UTC'],
	['', '5 Dec 2026, 09:00 UTC'],
])('a time in the zone "%s" is %s in words', (zone, words) => {
	expect(timeInWords(Date.UTC(2026, 11, 5, 9), zone)).toBe(words);
});

test('a time whose zone nobody knows is told in the next one that exists', () => {
	const words = timeInWords(Date.UTC(2026, 11, 5, 9), 'Mars/Olympus', 'Europe/Paris', 'Asia/Tokyo');
	expect(words).toBe('5 Dec 2026, 10:00 Paris');
});

test.each([
	['at midnight is no 24', Date.UTC(2020, 10, 29), '29 Nov 2020, 00:00 UTC'],
	['in the afternoon is no a.m. or p.m.', Date.UTC(2020, 10, 29, 15), '29 Nov 2020, 15:00 UTC'],
])('a time %s', (_, ms, words) => {
	expect(timeInWords(ms, 'UTC')).toBe(words);
});

const at = Date.UTC(2026, 10, 21, 10);

test('no zone is confused with another, however many there are', () => {
	const zones = Intl.supportedValuesOf('timeZone');
	const written = () => zones.map((zone) => isoTime(at, zone));
	const first = written();
	expect(new Set(first.map((time) => Date.parse(time)))).toEqual(new Set([at]));
	expect(new Set(first).size).toBeGreaterThan(24);
	expect(written()).toEqual(first);
});

test.each([
	['2026-11-28', '2026-11-27T23:00:00Z'],
	['2026-11-28T10', '2026-11-28T09:00:00Z'],
	['2026-11-28 1030', '2026-11-28T09:30:00Z'],
	['2026-11-28T10:30:15.25', '2026-11-28T09:30:15.250Z'],
	['2026-11-28T10:30:00.123456789z', '2026-11-28T10:30:00.123Z'],
	['2026-11-28T10:30:00-0500', '2026-11-28T15:30:00Z'],
	['2026-11-28T10:30:00+05:45', '2026-11-28T04:45:00Z'],
	['2026-11-28 10:30:00+01', '2026-11-28T09:30:00Z'],
	['2026-11-28T10:30-09:30', '2026-11-28T20:00:00Z'],
	['2026-11-28T10:30+01:00[Europe/Berlin]', '2026-11-28T09:30:00Z'],
	['2026-11-28 10:30 UTC', '2026-11-28T10:30:00Z'],
	['2026-11-28 10:30 Asia/Tokyo', '2026-11-28T01:30:00Z'],
])('the date %s, read in Paris, is %s', (date, moment) => {
	expect(parseDate(date, 'Europe/Paris')).toBe(Date.parse(moment));
});

test.each([
	['2027-03-28T02:30', 'Europe/Paris', '2027-03-28T01:30:00Z'],
	['2027-03-14T02:30', 'America/New_York', '2027-03-14T07:30:00Z'],
	['2027-10-03T02:15', 'Australia/Lord_Howe', '2027-10-02T15:45:00Z'],
])('%s, which the clocks in %s skip, is the time after the gap', (date, zone, moment) => {
	expect(parseDate(date, zone)).toBe(Date.parse(moment));
});

test.each([
	'2026-02-30',
	'2026-13-01',
	'2026-11-28T24:00:00',
	'2026-11-28T10:60',
	'2026-11-28 10:30 Middle/Earth',
	'28/11/2026',
	'2026-11-28, 10:30',
	'1795858200',
])('%s is no date', (date) => {
	expect(parseDate(date, 'Europe/Paris')).toBeUndefined();
});
