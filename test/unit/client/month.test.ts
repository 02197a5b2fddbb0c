import type { Quota } from '../../../nodes/EventPlatform/core/client/quota';
import {
	monthAfter,
	refusalByMonth,
	type Month,
} from '../../../nodes/EventPlatform/core/client/month';

const before: Month = { monthlyLimit: 9, monthlyRemaining: 5, askAgainAt: 1 };
const inSixHours = 21_600_003;

test.each<[string, Quota, Partial<Month>]>([
	['nothing', {}, {}],
	['the limit', { monthlyLimit: 8 }, { monthlyLimit: 8 }],
	[
		'what remains',
		{ monthlyRemaining: 4 },
		{ monthlyRemaining: 4, askAgainAt: inSixHours, heardAt: 3 },
	],
	[
		'that nothing does',
		{ monthlyRemaining: 0 },
		{ monthlyRemaining: 0, askAgainAt: undefined, heardAt: 3 },
	],
	['that it serves requests', { isServed: true }, {}],
])('what an answer says of the month holds until the next: %s', (_, quota, changed) => {
	expect(monthAfter(before, quota, 3)).toEqual({ ...before, ...changed });
});

test('a month that is used up is asked about again in ten seconds, or when it returns', () => {
	const spent = { monthlyLimit: 9, monthlyRemaining: 0, askAgainAt: 10_003, heardAt: 3 };
	expect(monthAfter(before, { isSpent: true }, 3)).toEqual(spent);
	const late = monthAfter(before, { retryAt: 900_000, isSpent: true }, 3);
	expect(late).toEqual({ ...spent, monthReturnsAt: 900_000 });
	const soon = monthAfter(before, { retryAt: 1_000, isSpent: true }, 3);
	expect(soon).toEqual({ ...spent, askAgainAt: 1_000, monthReturnsAt: 1_000 });
	// The date is still true where a larger plan ended the spent month; once it is over it says nothing.
	const left = { monthlyLimit: 9, monthlyRemaining: 9 };
	const monthHeardAt = (now: number) => monthAfter(soon, { monthlyRemaining: 9 }, now);
	expect(monthHeardAt(3)).toEqual({
		...left,
		askAgainAt: 1_000,
		monthReturnsAt: 1_000,
		heardAt: 3,
	});
	expect(monthHeardAt(1_000)).toEqual({ ...left, askAgainAt: 21_601_000, heardAt: 1_000 });
});

test('a month that is used up has returned when a request is served, also where no answer says what is left', () => {
	const spent = monthAfter(before, { isSpent: true }, 3);
	expect(monthAfter(spent, { isServed: false }, 4)).toEqual(spent);
	expect(monthAfter(spent, { isServed: true }, 4)).toEqual({ monthlyLimit: 9 });
});

test.each<[string, Quota, boolean, number, string | undefined]>([
	['one more than the reserve', { monthlyRemaining: 501 }, false, 3, undefined],
	['the reserve and no more', {}, false, 3, 'quota_reserved'],
	['the same, for a registration', {}, true, 3, undefined],
	['nothing at all, for a registration', { isSpent: true }, true, 3, 'quota_spent'],
	['nothing at all', { isSpent: true }, false, 10_002, 'quota_spent'],
	['nothing ten seconds ago', { isSpent: true }, false, 10_003, undefined],
	['nothing that was refused', { monthlyRemaining: 0 }, false, 3, undefined],
	['the reserve, until the month has returned', { monthReturnsAt: 9 }, false, 8, 'quota_reserved'],
	['the reserve, once the month has returned', { monthReturnsAt: 9 }, false, 9, undefined],
	['the reserve, for six hours', {}, false, inSixHours - 1, 'quota_reserved'],
	['the reserve, six hours later: one asks again', {}, false, inSixHours, undefined],
])('with 500 reserved and %s left', (_, quota, usesReserve, now, cause) => {
	const month = monthAfter(before, { monthlyRemaining: 500, ...quota }, 3);
	expect(refusalByMonth(month, 500, { usesReserve }, now)).toBe(cause);
	expect(refusalByMonth(month, 500, { usesReserve, ignoresQuota: true }, now)).toBeUndefined();
	expect(refusalByMonth({}, 500, { usesReserve }, now)).toBeUndefined();
});
