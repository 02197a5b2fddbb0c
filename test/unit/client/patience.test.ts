import { againAfterMs, Persistence } from '../../../nodes/EventPlatform/core/client/patience';

test('each wait is twice as long as the one before, and a run slows down before it waits', () => {
	const waits = (what: 'transfer' | 'run') =>
		[1, 2, 3, 4, 5, 6, 10, 11].map((failures) => againAfterMs(what, failures));
	const ms = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, undefined];
	expect(waits('transfer')).toEqual(ms);
	expect(waits('run').slice(0, 4)).toEqual([0, 0, 500, 1_000]);
});

test.each([
	['request', 3, 2_000],
	['rateLimit', 14, 8_000],
	['batch', 7, 30_000],
	['lateResults', 4, 8_000],
	['run', 11, 30_000],
	['lookups', 9, 0],
	['transfer', 10, 8_000],
] as const)(
	'of a %s the failure number %i is waited for, and the next one is the last',
	(what, failures, ms) => {
		expect(againAfterMs(what, failures)).toBe(ms);
		expect(againAfterMs(what, failures + 1)).toBeUndefined();
	},
);

describe('failures in a row', () => {
	test('are counted from the latest success', () => {
		const persistence = new Persistence('request');
		const waits = [0, 500, 1_500].map((now) => persistence.failed(now));
		expect(waits).toEqual([500, 1_000, 2_000]);
		persistence.succeeded();
		expect(persistence.failed(5_000)).toBe(500);
	});

	test('count once where the attempts were under way together', () => {
		const persistence = new Persistence('request');
		const waits = [100, 200, 300].map((now) => persistence.failed(now, { sentAt: 0 }));
		expect(waits).toEqual([500, 400, 300]);
		expect(persistence.failures).toBe(1);
		expect(persistence.failed(700, { sentAt: 600 })).toBe(1_000);
	});

	test('are waited for as long as the platform asks, but never less than by the table', () => {
		const persistence = new Persistence('request');
		expect(persistence.failed(0, { retryAt: 60_000 })).toBe(60_000);
		expect(persistence.failed(60_000, { retryAt: 60_001 })).toBe(1_000);
	});

	test('end the activity when its attempts are used up, until one succeeds', () => {
		const persistence = new Persistence('request');
		const waits = [0, 1, 2, 3].map((now) => persistence.failed(now));
		expect(waits.map((waitMs) => waitMs === undefined)).toEqual([false, false, false, true]);
		expect(persistence.isGivenUp).toBe(true);
		persistence.succeeded();
		expect(persistence.isGivenUp).toBe(false);
		expect(persistence.resumesAt).toBe(0);
	});
});
