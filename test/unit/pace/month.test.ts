import {
	afterAnswer,
	unknownMonth,
	type Month,
} from '../../../nodes/EventPlatform/core/pace/month';

const known: Month = { limit: 9, remaining: 5, seenAt: 1, askAgainAt: -Infinity };

test('what an answer says of the month holds until the next one says something', () => {
	expect(afterAnswer(unknownMonth, { monthlyLimit: 9, monthlyRemaining: 7 }, false, 3)).toEqual({
		...{ limit: 9, remaining: 7, seenAt: 3, askAgainAt: -Infinity },
	});
	expect(afterAnswer(known, {}, false, 3)).toEqual(known);
	expect(afterAnswer(known, { monthlyLimit: 8 }, false, 3)).toEqual({ ...known, limit: 8 });
	expect(afterAnswer(known, { monthlyRemaining: 4 }, false, 3)).toEqual({
		...{ limit: 9, remaining: 4, seenAt: 3, askAgainAt: -Infinity },
	});
});

test('a month that is used up is asked about again in a minute, or when it returns', () => {
	const spent = { limit: 9, remaining: 0, seenAt: 3 };
	expect(afterAnswer(known, {}, true, 3)).toEqual({
		...{ ...spent, askAgainAt: 60_003, returnsAt: undefined },
	});
	expect(afterAnswer(known, { retryAt: 900_000 }, true, 3)).toEqual({
		...{ ...spent, askAgainAt: 60_003, returnsAt: 900_000 },
	});
	const soon = afterAnswer(known, { retryAt: 1_000, monthlyRemaining: 0 }, true, 3);
	expect(soon).toEqual({ ...spent, askAgainAt: 1_000, returnsAt: 1_000 });
	expect(afterAnswer(soon, { monthlyRemaining: 9 }, false, 4)).toEqual({
		...{ limit: 9, remaining: 9, seenAt: 4, askAgainAt: -Infinity },
	});
});
