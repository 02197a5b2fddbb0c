import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import { withDates } from '../../../nodes/EventPlatform/core/records/outputDates';

test.each<[Json, Json]>([
	[0, null],
	['', null],
	['0', null],
	[null, null],
	[1_795_255_200, '2026-11-21T11:00:00+01:00'],
	['1795255200', '2026-11-21T11:00:00+01:00'],
	[1_795_255_200_000, '2026-11-21T11:00:00+01:00'],
	['soon', 'soon'],
	['2026-11-28 10:30:00', '2026-11-28 10:30:00'],
	[1e20, 1e20],
	[-8.64e15, -8.64e15],
	[true, true],
])('a date of %p is shown as %p', (sent, date) => {
	expect(withDates({ created_at: sent }, 'Europe/Paris')).toEqual({ created_at: date });
});

test.each<[string, string, string]>([
	['America/New_York', '2026-11-01T05:59:59.250Z', '2026-11-01T01:59:59.250-04:00'],
	['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T01:00:00-05:00'],
	['Europe/London', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00+00:00'],
	['UTC', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
	['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04T01:59:59+10:30'],
	['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00+11:00'],
	['gmt', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
	['Etc/UTC', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00+00:00'],
	['Asia/Kathmandu', '2026-11-21T10:00:00Z', '2026-11-21T15:45:00+05:45'],
	['Middle/Earth', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
])('in %s the moment %s is %s, whatever was shown before', (zone, moment, date) => {
	const momentMs = Date.parse(moment);
	const show = (ms: number) => withDates({ created_at: ms }, zone).created_at;
	show(momentMs - 60_000);
	show(momentMs + 60_000);
	expect(show(momentMs)).toBe(date);
});

test('dates are found in the person of a result, and not in the answers to a form', () => {
	const person = { created_at: 1_795_255_200, hired_at: '1795255200' };
	expect(withDates({ person, hired_at: '1795255200' }, 'UTC', ['hired_at'])).toEqual({
		person: { created_at: '2026-11-21T10:00:00Z', hired_at: '2026-11-21T10:00:00Z' },
		hired_at: '1795255200',
	});
});
