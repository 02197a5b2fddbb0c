import type { Quota } from '../../../nodes/EventPlatform/core/client/quota';
import {
	askAgainMs,
	monthAfter,
	isMonthSpent,
	type Month,
} from '../../../nodes/EventPlatform/core/client/month';

const before: Month = { monthlyLimit: 9, monthlyRemaining: 5 };

test.each<[string, Quota, Partial<Month>]>([
	['nothing', {}, {}],
	['the limit', { monthlyLimit: 8 }, { monthlyLimit: 8 }],
	['what remains', { monthlyRemaining: 4 }, { monthlyRemaining: 4, heardAt: 3 }],
	['that nothing does', { monthlyRemaining: 0 }, { monthlyRemaining: 0, heardAt: 3 }],
	['that it serves requests', { isServed: true }, {}],
])('what an answer says of the month holds until the next: %s', (_, quota, changed) => {
	expect(monthAfter(before, quota, 3)).toEqual({ ...before, ...changed });
});

test('a month that is used up is asked about again in ten seconds, or when it returns', () => {
	const spent = { monthlyLimit: 9, monthlyRemaining: 0, spentUntil: 10_003, heardAt: 3 };
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
		heardAt: 3,
	});
	expect(monthHeardAt(1_000)).toEqual({ ...left, heardAt: 1_000 });
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
