import * as share from '../../../nodes/EventPlatform/core/polling/monthlyShare';

const { earn, isPaid, perDayOf, ratePerDay, shareAfterPoll, shareAfterStart, unspentOf } = share;
const { shareOfNewTrigger, usualPerDay } = share;
const now = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;

test.each([
	[1, false, true],
	[0.99, false, false],
	[-700, true, true],
	[-701, true, false],
])('with %s requests saved up, the next poll is paid for (more to tell: %s): %s', (...row) => {
	const [credit, hasMore, expected] = row;
	expect(isPaid({ credit, at: now, perDay: 100 }, 1, hasMore)).toBe(expected);
});

test.each([
	['is over with its month, at a look that is due', now, 6 * hour, 2],
	['stays until then', now + 1, 6 * hour, -89],
	['stays where the month always returns within the minute', now, hour / 60, -90],
])('what was spent in advance %s', (_, returnsAt, ago, credit) => {
	const earned = earn({ credit: -90, at: now - ago, perDay: 4, returnsAt }, 1, now);
	expect(Math.round(earned.credit)).toBe(credit);
});

test.each([
	['half a day pays for half of it', { credit: 0, at: now - 12 * hour, perDay: 100 }, 1, 50],
	['of two triggers each has half', { credit: 0, at: now - 12 * hour, perDay: 100 }, 2, 25],
	[
		'an hour pays for what was spent in advance',
		{ credit: -10, at: now - hour, perDay: 240 },
		1,
		0,
	],
	['at most a day is kept', { credit: 60, at: now - 9 * day, perDay: 100 }, 1, 100],
	['what was saved with a larger share stays', { credit: 150, at: now - day, perDay: 100 }, 1, 150],
	['a clock that was set back takes nothing', { credit: 20, at: now + day, perDay: 100 }, 1, 20],
])('the requests that polling may spend: %s', (_, stored, triggers, credit) => {
	expect(earn(stored, triggers, now)).toEqual({ credit, at: now, perDay: stored.perDay });
});

test('a day of polling is a third of a day of the usual month, divided by the triggers, and four looks at least', () => {
	expect(perDayOf({}, now)).toBeCloseTo(10_000 / 31 / 3, 6);
	expect(ratePerDay(perDayOf({ monthlyLimit: 93_000 }, now), 4)).toBeCloseTo(250, 6);
	expect(ratePerDay(perDayOf({}, now), 100)).toBe(4);
});

test.each([
	['a third of it, until the month returns', 3_000, 10 * day, 100],
	['no more than evenly where the month is almost over and much is left', 90_000, day, 1_000],
	['no more than a third of it where the month returns within hours', 300, hour, 100],
	['four looks where nothing is left and the month returns at this moment', 0, 0, 4],
])('of what others left a trigger may spend in a day: %s', (_, left, returnsIn, expected) => {
	const month = { monthlyRemaining: left, monthReturnsAt: now + returnsIn };
	const perDay = perDayOf({ monthlyLimit: 93_000, ...month }, now);
	expect(ratePerDay(perDay, 1)).toBeCloseTo(expected, 6);
});

test('a new trigger has half a day at once, unless others divide the share already', () => {
	expect(shareOfNewTrigger(1, now).credit).toBeCloseTo(usualPerDay / 2, 6);
	expect(shareOfNewTrigger(2, now).credit).toBe(1);
});

describe('after a start', () => {
	// Two requests a day for each of two triggers would be too few: each has its turn every six hours.
	const turn = Math.floor(now / (6 * hour)) * 6 * hour;
	const stored = { credit: 3, at: turn - 9 * day, perDay: 8, triggers: 2 };
	const started = { stored, phase: 0, leastCost: 1 };

	test.each([
		['at its turn', 0, 0, 1],
		['a moment after its turn', 15_000, 0, 1],
		['a quarter of the time after its turn', 1.5 * hour, 0, 0.25],
		['when its turn came since the start', 1.5 * hour, 2 * hour, 1],
		['when its turn came before the start', 1.5 * hour, hour, 0.25],
	])('a trigger may poll %s: %#', (_, sinceTurn, sinceStart, credit) => {
		const at = turn + sinceTurn;
		const share = shareAfterStart({ ...started, startedAt: at - sinceStart }, 2, at);
		expect(share).toMatchObject({ credit, at, perDay: 8 });
	});

	test.each([
		['debts stay', { ...stored, credit: -50 }, -50 + 9 * 4],
		[
			'what was stored by a clock that was ahead tells nothing',
			{ ...stored, credit: -50, at: now + day },
			1,
		],
		['nothing is saved up', { ...stored, credit: 90 }, 1],
		['nothing stored is no debt', undefined, 1],
	])('%s', (_, before, credit) => {
		const startedAt = before ? turn : 0;
		const share = shareAfterStart({ ...started, stored: before, startedAt }, 2, turn);
		expect(share.credit).toBe(credit);
	});

	test.each([
		['what polls cost on average', { ...stored, cost: 3 }, 1],
		['what a poll costs at least', stored, 3],
	])('turns are as much rarer as polls are dearer: %s', (_, before, leastCost) => {
		const third = Math.floor(now / (18 * hour)) * 18 * hour;
		const at = third + 9 * hour;
		const trigger = { stored: before, phase: 0, leastCost, startedAt: at };
		expect(shareAfterStart(trigger, 2, at).credit).toBe(1 - 3 / 2);
	});
});

test.each([
	[
		'nothing where the answers do not say when it returns',
		{ monthlyLimit: 9_300, monthlyRemaining: 9_000 },
		undefined,
	],
	[
		'half of the month, less what is gone',
		{ monthlyLimit: 9_300, monthlyRemaining: 8_300, monthReturnsAt: now + 15 * day },
		500,
	],
	[
		'less than nothing where more is gone',
		{ monthlyLimit: 9_300, monthlyRemaining: 5_300, monthReturnsAt: now + 15 * day },
		-2_500,
	],
	[
		'nothing in a month that is longer',
		{ monthlyLimit: 9_300, monthlyRemaining: 9_300, monthReturnsAt: now + 31 * day },
		0,
	],
])("what is unspent of polling's third: %s", (_, usage, expected) => {
	expect(unspentOf(usage, now)).toEqual(expected);
});

describe('a poll', () => {
	const before = { credit: 5, at: now, perDay: 100, cost: 2 };
	const told = { monthlyLimit: 9_300, monthlyRemaining: 8_300, monthReturnsAt: now + 15 * day };
	const spent = { requests: 3, usage: {}, foreign: 0, isFirst: false };

	test.each([
		['costs its requests', spent, 2],
		['pays for other processes, which spend with the same token', { ...spent, foreign: 1 }, 1],
		['pays for them at most three quarters of what it earned', { ...spent, foreign: 99 }, -1],
		['is not the first: what the month has left counts no more', { ...spent, usage: told }, 2],
		[
			'is the first: what the third has left is there again',
			{ ...spent, usage: told, isFirst: true },
			100,
		],
	])('%s', (_, cost, credit) => {
		const after = shareAfterPoll(before, 4, cost, 1, now);
		expect(Math.round(after.credit)).toBe(credit);
		expect(after).toMatchObject({ cost: 2.25, triggers: 1 });
	});

	test('that is the first divides what is left among the triggers, and adds no debt', () => {
		const first = { ...spent, usage: told, isFirst: true };
		expect(shareAfterPoll(before, 4, first, 10, now).credit).toBeCloseTo(10, 6);
		const gone = { ...first, usage: { ...told, monthlyRemaining: 300 } };
		expect(shareAfterPoll(before, 4, gone, 1, now).credit).toBe(2);
	});
});
