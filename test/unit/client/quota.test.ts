import type { ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import {
	askAgainMs,
	isMonthSpent,
	monthAfter,
	readQuota,
	type Month,
	type Quota,
} from '../../../nodes/EventPlatform/core/client/quota';

const now = Date.UTC(2026, 10, 21, 12);
const second = (after: number) => String(now / 1_000 + after);
const clockAt = (time: string) => `Sat, 21 Nov 2026 ${time} GMT`;
const padded = (length: number) => clockAt('12:01:00').padStart(length);
const yearMs = 366 * 86_400_000;

/** Makes an answer with these headers, named without `RateLimit-`. */
function answer(values: Record<string, string>, status = 429): ApiResponse {
	const headers = Object.entries(values).map(([name, value]) => [
		/^(?:date|retry-after)$/.test(name) ? name : `ratelimit-${name}`,
		value,
	]);
	return { status, headers: Object.fromEntries(headers) as ApiResponse['headers'], body: '' };
}

test.each(['monthly', 'montly'])('reads the limits, also where the month is called %s', (month) => {
	const monthly = { [`${month}-limit`]: '10000', [`${month}-remaining`]: '17' };
	expect(readQuota(answer({ 'interval-limit': '5', ...monthly }), now)).toEqual({
		intervalLimit: 5,
		monthlyLimit: 10_000,
		monthlyRemaining: 17,
		isServed: false,
		isSpent: false,
	});
	const inWords = { 'interval-limit': '5 or 6', 'monthly-limit': 'about 9' };
	const { intervalLimit, monthlyLimit } = readQuota(answer(inWords), now);
	expect([intervalLimit, monthlyLimit]).toEqual([undefined, undefined]);
});

test('reads a count that no number holds as a large one, because the limiter reckons with it', () => {
	const { intervalLimit } = readQuota(answer({ 'interval-limit': '9'.repeat(400) }), now);
	expect(intervalLimit).toBe(Number.MAX_SAFE_INTEGER);
});

/** Each case has the headers, and says in how many milliseconds a refused request may be tried again. */
test.each<[string, Record<string, string>, number | undefined]>([
	['parts of a second', { 'retry-after': ' 1.25 ' }, 1_250],
	['a date with an offset', { 'retry-after': '21 Nov 2026 12:01:00 +0000' }, 60_000],
	['an ISO date', { 'retry-after': '2026-11-21T12:01:00Z' }, 60_000],
	['Retry-After before RateLimit-Reset', { 'retry-after': '1', reset: '9' }, 1_000],
	['seconds from now', { reset: '4' }, 4_000],
	['a time stamp', { reset: second(9) }, 9_000],
	['nothing in a time stamp that is over', { reset: `${1e8}` }, undefined],
	['nothing in a time stamp of another age', { reset: '9'.repeat(11) }, undefined],
	['a clock ten minutes ahead', { reset: second(603), date: clockAt('12:10:00') }, 3_000],
	['a clock a second off', { reset: second(3), date: clockAt('11:59:59') }, 3_000],
	[
		'a date of a clock that is ahead',
		{ 'retry-after': clockAt('12:10:05'), date: clockAt('12:10:00') },
		5_000,
	],
	[
		'nothing of the month while some is left',
		{ reset: '86400', 'monthly-remaining': '9' },
		undefined,
	],
	['the second while some is left', { reset: '60', 'monthly-remaining': '9' }, 60_000],
	[
		'a clock two seconds ahead',
		{ 'retry-after': clockAt('12:00:05'), date: clockAt('12:00:02') },
		3_000,
	],
	[
		'a date beside a date of the platform that is none',
		{ 'retry-after': clockAt('12:00:05'), date: '5' },
		5_000,
	],
	['the longest text that can be a date', { 'retry-after': padded(64) }, 60_000],
	['nothing in a longer one', { 'retry-after': padded(65) }, undefined],
	['a year at most', { 'retry-after': '99999999' }, yearMs],
	['a date in a year', { 'retry-after': 'Mon, 22 Nov 2027 12:00:00 GMT' }, yearMs],
	['nothing in a date that is now', { 'retry-after': clockAt('12:00:00') }, undefined],
	['nonsense', { 'retry-after': 'soon', reset: '-1' }, undefined],
])('understands %s', (_, headers, inMs) => {
	expect(readQuota(answer(headers), now).retryAt).toBe(inMs && now + inMs);
});

interface RefusedResponse {
	what: string;
	headers: Record<string, string>;
	/** 429, where nothing is said. */
	status?: number;
}

test.each<RefusedResponse>([
	{
		what: 'nothing left of the month',
		headers: { 'monthly-remaining': '0', 'retry-after': '1' },
	},
	{ what: 'days to wait', headers: { 'retry-after': '259200' } },
])('$what: the month is spent', ({ headers, status }) => {
	expect(readQuota(answer(headers, status), now).isSpent).toBe(true);
});

test.each<RefusedResponse>([
	{
		what: 'a long pause in a month',
		headers: { 'retry-after': '7200', 'monthly-remaining': '9' },
	},
	{ what: 'an hour to wait', headers: { 'retry-after': '3600' } },
	{ what: 'the last request of the month', headers: { 'monthly-remaining': '0' }, status: 200 },
])('$what: the month is not spent', ({ headers, status }) => {
	expect(readQuota(answer(headers, status), now).isSpent).toBe(false);
});

test.each([
	['61', now + 61_000],
	['60', undefined],
])('a reset in %s seconds is the month’s only where it is far', (reset, at) => {
	expect(readQuota(answer({ reset }), now).monthReturnsAt).toBe(at);
});

const before: Month = { monthlyLimit: 9, monthlyRemaining: 5 };

test.each<[string, Quota, Partial<Month>]>([
	['nothing', {}, {}],
	['the limit', { monthlyLimit: 8 }, { monthlyLimit: 8 }],
	['what remains', { monthlyRemaining: 4 }, { monthlyRemaining: 4 }],
	['that nothing does', { monthlyRemaining: 0 }, { monthlyRemaining: 0 }],
	['that it serves requests', { isServed: true }, {}],
])('what an answer says of the month holds until the next: %s', (_, quota, changed) => {
	expect(monthAfter(before, quota, 3)).toEqual({ ...before, ...changed });
});

test('a month that is used up is asked about again in ten seconds, or when it returns', () => {
	const spent = { monthlyLimit: 9, monthlyRemaining: 0, spentUntil: 10_003 };
	expect(monthAfter(before, { isSpent: true }, 3)).toEqual(spent);
	const late = monthAfter(before, { retryAt: 900_000, isSpent: true }, 3);
	expect(late).toEqual({ ...spent, monthReturnsAt: 900_000 });
	const soon = monthAfter(before, { retryAt: 1_000, isSpent: true }, 3);
	expect(soon).toEqual({ ...spent, spentUntil: 1_000, monthReturnsAt: 1_000 });
	// The date is still true where somebody has bought more requests; once it is over it says nothing.
	const left = { monthlyLimit: 9, monthlyRemaining: 9 };
	const monthHeardAt = (now: number) => monthAfter(soon, { monthlyRemaining: 9 }, now);
	expect(monthHeardAt(3)).toEqual({
		...left,
		monthReturnsAt: 1_000,
	});
	expect(monthHeardAt(1_000)).toEqual({ ...left });
});

test('a month that is used up has returned when a request is served, also where no answer says what is left', () => {
	const spent = monthAfter(before, { isSpent: true }, 3);
	expect(monthAfter(spent, { isServed: false }, 4)).toEqual(spent);
	expect(monthAfter(spent, { isServed: true }, 4)).toEqual({ monthlyLimit: 9 });
});

test.each([
	['requests are left', { monthlyRemaining: 1 }, 3, false],
	['nothing is left, and nothing was refused for it', { monthlyRemaining: 0 }, 3, false],
	['a request was refused for want of requests', { isSpent: true }, 3, true],
	['that was ten seconds ago', { isSpent: true }, 3 + askAgainMs, false],
	['the month has returned since', { isSpent: true, retryAt: 9 }, 9, false],
])('where %s, it is spent or not', (_, quota: Quota, now, isSpent) => {
	expect(isMonthSpent(monthAfter(before, quota, 3), now)).toBe(isSpent);
});
