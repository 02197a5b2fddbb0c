import fc from 'fast-check';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import type { Answer, Api, ApiRequest } from '../../../nodes/EventPlatform/core/http/ports';
import {
	askQuota,
	remainingNow,
	isMonthSpent,
	readQuota,
	readRetryAfter,
} from '../../../nodes/EventPlatform/core/http/quota';
import { unixMs } from '../../../nodes/EventPlatform/core/http/unixMs';

const now = Date.UTC(2026, 10, 21, 12);
const answer = (headers: Record<string, string>, status = 429) => ({ status, headers, body: '' });

test.each([
	['monthly', 'ratelimit-monthly-limit', 'ratelimit-monthly-remaining'],
	['the older spelling', 'ratelimit-montly-limit', 'ratelimit-montly-remaining'],
])('reads the limits in %s', (_, limit, remaining) => {
	const headers = {
		'ratelimit-interval-limit': '5',
		'ratelimit-interval-remaining': '2',
		[limit]: '10000',
		[remaining]: '17',
	};
	expect(readQuota(answer(headers), now)).toEqual({
		intervalLimit: 5,
		intervalRemaining: 2,
		monthlyLimit: 10_000,
		monthlyRemaining: 17,
		retryAt: undefined,
	});
});

test.each<[string, Record<string, string>, number | undefined]>([
	['seconds', { 'retry-after': '3' }, now + 3_000],
	['a date', { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, now + 60_000],
	['a time stamp', { 'ratelimit-reset': String(now / 1_000 + 9) }, now + 9_000],
	['a time stamp in milliseconds', { 'ratelimit-reset': `${now + 9_000}` }, now + 9_000],
	['a time stamp in microseconds', { 'ratelimit-reset': `${now + 9_000}000` }, now + 9_000],
	['a time stamp in nanoseconds', { 'ratelimit-reset': `${now + 9_000}000000` }, now + 9_000],
	['nothing in a time stamp that is over', { 'ratelimit-reset': '1000000000' }, undefined],
	['nothing in a time stamp of another age', { 'ratelimit-reset': '9'.repeat(11) }, undefined],
	[
		'a time stamp of a clock that is ten minutes ahead',
		{ 'ratelimit-reset': String(now / 1_000 + 603), date: 'Sat, 21 Nov 2026 12:10:00 GMT' },
		now + 3_000,
	],
	[
		'a time stamp of a clock that is an hour behind',
		{ 'ratelimit-reset': String(now / 1_000 - 3_597), date: 'Sat, 21 Nov 2026 11:00:00 GMT' },
		now + 3_000,
	],
	[
		'a date of a clock that is ahead',
		{ 'retry-after': 'Sat, 21 Nov 2026 12:10:05 GMT', date: 'Sat, 21 Nov 2026 12:10:00 GMT' },
		now + 5_000,
	],
	[
		'nothing in ten minutes for the second, where no clock is told',
		{ 'ratelimit-reset': String(now / 1_000 + 603), 'ratelimit-monthly-remaining': '9' },
		undefined,
	],
	[
		'a time stamp beside a clock that is a second off',
		{ 'ratelimit-reset': String(now / 1_000 + 3), date: 'Sat, 21 Nov 2026 11:59:59 GMT' },
		now + 3_000,
	],
	['seconds from now', { 'ratelimit-reset': '4' }, now + 4_000],
	[
		'Retry-After before RateLimit-Reset',
		{ 'retry-after': '1', 'ratelimit-reset': '9' },
		now + 1_000,
	],
	[
		'the reset of the month while there is some left',
		{ 'ratelimit-reset': String(now / 1_000 + 86_400), 'ratelimit-monthly-remaining': '9' },
		undefined,
	],
	[
		'the reset of the second while there is some of the month left',
		{ 'ratelimit-reset': String(now / 1_000 + 60), 'ratelimit-monthly-remaining': '9' },
		now + 60_000,
	],
	['a date with an offset', { 'retry-after': '21 Nov 2026 12:01:00 +0000' }, now + 60_000],
	['an ISO date', { 'retry-after': '2026-11-21T12:01:00Z' }, now + 60_000],
	['parts of a second', { 'retry-after': ' 1.25 ' }, now + 1_250],
	['words with a number', { 'retry-after': 'In 5' }, undefined],
	['nonsense', { 'retry-after': 'soon', 'ratelimit-reset': '-1' }, undefined],
	['nothing', {}, undefined],
])('understands %s', (_, headers, retryAt) => {
	expect(readQuota(answer(headers), now).retryAt).toBe(retryAt);
});

test('a limit in words is none', () => {
	const headers = { 'ratelimit-interval-limit': '5 or 6', 'ratelimit-monthly-limit': 'about 9' };
	const { intervalLimit, monthlyLimit } = readQuota(answer(headers), now);
	expect([intervalLimit, monthlyLimit]).toEqual([undefined, undefined]);
});

test('whatever is told, the wait is a number of at most a year, or nothing', () => {
	const header = fc.oneof(
		fc.string(),
		fc.double().map(String),
		fc.bigInt().map(String),
		fc.date({ noInvalidDate: true }).map(String),
	);
	fc.assert(
		fc.property(header, header, header, (retryAfter, reset, date) => {
			const headers = { 'retry-after': retryAfter, 'ratelimit-reset': reset, date };
			const { retryAt = now } = readQuota({ headers }, now);
			expect(retryAt).toBeGreaterThanOrEqual(now);
			expect(retryAt).toBeLessThanOrEqual(now + 366 * 86_400_000);
		}),
	);
});

test.each<[string, Record<string, string>, number, boolean]>([
	[
		'nothing left of the month',
		{ 'ratelimit-monthly-remaining': '0', 'retry-after': '1' },
		429,
		true,
	],
	['days to wait', { 'retry-after': '259200' }, 429, true],
	[
		'a long pause within a month',
		{ 'retry-after': '7200', 'ratelimit-monthly-remaining': '9' },
		429,
		false,
	],
	['a second to wait', { 'retry-after': '1', 'ratelimit-monthly-remaining': '9' }, 429, false],
	['an hour to wait', { 'retry-after': '3600' }, 429, false],
	['more than an hour to wait', { 'retry-after': '3601' }, 429, true],
	['nothing said', {}, 429, false],
	['the last request of the month', { 'ratelimit-monthly-remaining': '0' }, 200, false],
])('%s: is the month spent?', (_, headers, status, spent) => {
	expect(isMonthSpent(answer(headers, status), now)).toBe(spent);
});

test.each<[string, Record<string, string>, number | undefined]>([
	['the month, when it is far', { 'ratelimit-reset': '61' }, now + 61_000],
	['the second, when it is near', { 'ratelimit-reset': '60' }, undefined],
	['nothing', {}, undefined],
])('a reset is that of %s', (_, headers, at) => {
	expect(readQuota(answer(headers), now).monthReturnsAt).toBe(at);
});

test.each<[string, Record<string, string>, number | undefined]>([
	['not, although it tells a reset', { 'ratelimit-reset': '3' }, undefined],
	['by a clock two seconds ahead', dated('12:00:05', '12:00:02'), now + 3_000],
	['by a clock one second ahead', dated('12:00:05', '12:00:01'), now + 5_000],
	['in the longest text that can be a date', { 'retry-after': padded(64) }, now + 60_000],
	['not in a longer one', { 'retry-after': padded(65) }, undefined],
	['at most a year from now', { 'retry-after': '99999999' }, now + 366 * 86_400_000],
	['now, which is no time to come', dated('12:00:00'), undefined],
	['in a year', { 'retry-after': 'Mon, 22 Nov 2027 12:00:00 GMT' }, now + 366 * 86_400_000],
	['beyond it', { 'retry-after': 'Mon, 22 Nov 2027 12:00:01 GMT' }, undefined],
])('the platform says when: %s', (_, headers, at) => {
	expect(readRetryAfter({ headers }, now)).toBe(at);
});

function dated(retryAfter: string, date = '12:00:00'): Record<string, string> {
	const on = (time: string) => `Sat, 21 Nov 2026 ${time} GMT`;
	return { 'retry-after': on(retryAfter), date: on(date) };
}

function padded(length: number): string {
	return 'Sat, 21 Nov 2026 12:01:00 GMT'.padStart(length);
}

describe('what is asked with a ping', () => {
	const clock = { now: () => now, sleep: () => Promise.resolve() };
	const platform = (call: (request: ApiRequest) => Promise<Answer>): Api =>
		Object.assign(call, { usage: { requests: 0, perSecond: 5, monthlyLimit: 8 } });

	test('is that nothing is left, where the month is used up', async () => {
		const api = platform((request) =>
			Promise.reject(new Failure('quota_spent', request, { status: 429, retryAt: 5 })),
		);
		const spent = { monthlyLimit: 8, monthlyRemaining: 0, monthReturnsAt: 5 };
		expect(await askQuota(api, clock)).toEqual(spent);
		expect(await remainingNow(api, clock)).toBe(0);
	});

	test('is what the headers say', async () => {
		const headers = { 'ratelimit-monthly-limit': '9', 'ratelimit-monthly-remaining': '7' };
		const api = platform((request) => {
			expect(request).toEqual({ method: 'GET', path: '/ping' });
			return Promise.resolve(answer(headers, 200));
		});
		expect(await askQuota(api, clock)).toMatchObject({ monthlyLimit: 9, monthlyRemaining: 7 });
		expect(await remainingNow(api, clock)).toBe(7);
	});

	test('is not known where the platform fails', async () => {
		const api = platform((request) => Promise.reject(new Failure('platform_error', request)));
		await expect(askQuota(api, clock)).rejects.toThrow('platform_error');
		expect(await remainingNow(api, clock)).toBeUndefined();
	});
});

test.each([
	['1e8 and more is a time stamp', 1e8 - 1, now + 366 * 86_400_000],
	['1e8 and more is a time stamp', 1e8, undefined],
])('%s: %d', (_, value, at) => {
	expect(readQuota(answer({ 'ratelimit-reset': `${value}` }), now).retryAt).toBe(at);
});

test.each([
	[1e11 - 1, 1e14 - 1_000],
	[1e11, 1e11],
	[1e14, 1e11],
	[1e17, 1e11],
])('the time %d is %d in milliseconds', (time, ms) => {
	expect(unixMs(time)).toBe(ms);
});
