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
	// The date is still true where somebody has bought more requests; once it is over it says nothing.
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

interface Remainder {
	left: string;
	/** The quota that a response has told, at 3, besides the 500 requests that remain. */
	quota: Quota;
	now: number;
	/** Whether the request uses the reserve, as a registration does. */
	usesReserve?: boolean;
}

const enough: Remainder[] = [
	{ left: 'one more than the reserve', quota: { monthlyRemaining: 501 }, now: 3 },
	{ left: 'the same, for a registration', quota: {}, now: 3, usesReserve: true },
	{ left: 'nothing ten seconds ago', quota: { isSpent: true }, now: 10_003 },
	{ left: 'nothing that was refused', quota: { monthlyRemaining: 0 }, now: 3 },
	{ left: 'the reserve, once the month has returned', quota: { monthReturnsAt: 9 }, now: 9 },
	{ left: 'the reserve, six hours later: one asks again', quota: {}, now: inSixHours },
];

test.each(enough)('with 500 reserved and $left left, a request may leave', (remainder) => {
	const { quota, now, usesReserve = false } = remainder;
	const month = monthAfter(before, { monthlyRemaining: 500, ...quota }, 3);
	expect(refusalByMonth(month, 500, { usesReserve }, now)).toBeUndefined();
	expect(refusalByMonth(month, 500, { usesReserve, ignoresQuota: true }, now)).toBeUndefined();
	expect(refusalByMonth({}, 500, { usesReserve }, now)).toBeUndefined();
});

interface TooLittle extends Remainder {
	cause: ReturnType<typeof refusalByMonth>;
}

const tooLittle: TooLittle[] = [
	{ left: 'the reserve and no more', quota: {}, now: 3, cause: 'quota_reserved' },
	{
		left: 'nothing at all, for a registration',
		quota: { isSpent: true },
		now: 3,
		usesReserve: true,
		cause: 'quota_spent',
	},
	{ left: 'nothing at all', quota: { isSpent: true }, now: 10_002, cause: 'quota_spent' },
	{
		left: 'the reserve, until the month has returned',
		quota: { monthReturnsAt: 9 },
		now: 8,
		cause: 'quota_reserved',
	},
	{ left: 'the reserve, for six hours', quota: {}, now: inSixHours - 1, cause: 'quota_reserved' },
];

test.each(tooLittle)('with 500 reserved and $left left, it may not: $cause', (remainder) => {
	const { quota, now, usesReserve = false, cause } = remainder;
	const month = monthAfter(before, { monthlyRemaining: 500, ...quota }, 3);
	expect(refusalByMonth(month, 500, { usesReserve }, now)).toBe(cause);
	expect(refusalByMonth(month, 500, { usesReserve, ignoresQuota: true }, now)).toBeUndefined();
	expect(refusalByMonth({}, 500, { usesReserve }, now)).toBeUndefined();
});
