import * as share from '../../../nodes/EventPlatform/core/polling/monthlyShare';

const { earnCredit, isPaid, perDayOf, ratePerDay, shareAfterPoll, shareAfterStart, unspentOf } =
	share;
const { shareOfNewTrigger, usualPerDay } = share;
const nowMs = 1_800_000_000_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const withCredit = (credit: number) => ({ credit, calculatedAtMs: nowMs, perDay: 100 });

test.each([
	{ credit: 1, hasMore: false },
	{ credit: -700, hasMore: true },
])('$credit requests saved up pay for a poll (more to tell: $hasMore)', ({ credit, hasMore }) => {
	expect(isPaid(withCredit(credit), 1, hasMore)).toBe(true);
});

test.each([
	{ credit: 0.99, hasMore: false },
	{ credit: -701, hasMore: true },
])('$credit requests saved up pay for no poll (more to tell: $hasMore)', ({ credit, hasMore }) => {
	expect(isPaid(withCredit(credit), 1, hasMore)).toBe(false);
});

test.each([
	{
		what: 'is over with its month, at a look that is due',
		returnsAtMs: nowMs,
		ago: 6 * hourMs,
		credit: 2,
	},
	{ what: 'stays until then', returnsAtMs: nowMs + 1, ago: 6 * hourMs, credit: -89 },
	{
		what: 'stays where the month always returns within the minute',
		returnsAtMs: nowMs,
		ago: hourMs / 60,
		credit: -90,
	},
])('what was spent in advance $what', ({ returnsAtMs, ago, credit }) => {
	const earned = earnCredit(
		{ credit: -90, calculatedAtMs: nowMs - ago, perDay: 4, returnsAtMs },
		1,
		nowMs,
	);
	expect(Math.round(earned.credit)).toBe(credit);
});

test.each([
	{
		what: 'half a day pays for half of it',
		stored: { credit: 0, calculatedAtMs: nowMs - 12 * hourMs, perDay: 100 },
		triggers: 1,
		credit: 50,
	},
	{
		what: 'of two triggers each has half',
		stored: { credit: 0, calculatedAtMs: nowMs - 12 * hourMs, perDay: 100 },
		triggers: 2,
		credit: 25,
	},
	{
		what: 'an hour pays for what was spent in advance',
		stored: { credit: -10, calculatedAtMs: nowMs - hourMs, perDay: 240 },
		triggers: 1,
		credit: 0,
	},
	{
		what: 'at most a day is kept',
		stored: { credit: 60, calculatedAtMs: nowMs - 9 * dayMs, perDay: 100 },
		triggers: 1,
		credit: 100,
	},
	{
		what: 'what was saved with a larger share stays',
		stored: { credit: 150, calculatedAtMs: nowMs - dayMs, perDay: 100 },
		triggers: 1,
		credit: 150,
	},
	{
		what: 'a clock that was set back takes nothing',
		stored: { credit: 20, calculatedAtMs: nowMs + dayMs, perDay: 100 },
		triggers: 1,
		credit: 20,
	},
])('the requests that polling may spend: $what', ({ stored, triggers, credit }) => {
	expect(earnCredit(stored, triggers, nowMs)).toEqual({
		credit,
		calculatedAtMs: nowMs,
		perDay: stored.perDay,
	});
});

test('a day of polling is a third of a day of the usual month, divided by the triggers, and four looks at least', () => {
	expect(perDayOf({}, nowMs)).toBeCloseTo(10_000 / 31 / 3, 6);
	expect(ratePerDay(perDayOf({ monthlyLimit: 93_000 }, nowMs), 4)).toBeCloseTo(250, 6);
	expect(ratePerDay(perDayOf({}, nowMs), 100)).toBe(4);
});

test.each([
	{
		what: 'a third of it, until the month returns',
		left: 3_000,
		returnsIn: 10 * dayMs,
		perDay: 100,
	},
	{
		what: 'no more than evenly where the month is almost over and much is left',
		left: 90_000,
		returnsIn: dayMs,
		perDay: 1_000,
	},
	{
		what: 'no more than a third of it where the month returns within hours',
		left: 300,
		returnsIn: hourMs,
		perDay: 100,
	},
	{
		what: 'four looks where nothing is left and the month returns at this moment',
		left: 0,
		returnsIn: 0,
		perDay: 4,
	},
])('of what others left a trigger may spend in a day: $what', ({ left, returnsIn, perDay }) => {
	const month = { monthlyRemaining: left, monthReturnsAt: nowMs + returnsIn };
	const forPolling = perDayOf({ monthlyLimit: 93_000, ...month }, nowMs);
	expect(ratePerDay(forPolling, 1)).toBeCloseTo(perDay, 6);
});

test('a new trigger has half a day at once, unless others divide the share already', () => {
	expect(shareOfNewTrigger(1, nowMs).credit).toBeCloseTo(usualPerDay / 2, 6);
	expect(shareOfNewTrigger(2, nowMs).credit).toBe(1);
});

describe('after a start', () => {
	// Two requests a day for each of two triggers would be too few: each has its turn every six hours.
	const turn = Math.floor(nowMs / (6 * hourMs)) * 6 * hourMs;
	const stored = { credit: 3, calculatedAtMs: turn - 9 * dayMs, perDay: 8, triggers: 2 };
	const started = { stored, turnOffset: 0, leastCost: 1 };

	test.each([
		{ when: 'at its turn', sinceTurn: 0, sinceStart: 0, credit: 1 },
		{ when: 'a moment after its turn', sinceTurn: 15_000, sinceStart: 0, credit: 1 },
		{
			when: 'a quarter of the time after its turn',
			sinceTurn: 1.5 * hourMs,
			sinceStart: 0,
			credit: 0.25,
		},
		{
			when: 'when its turn came since the start',
			sinceTurn: 1.5 * hourMs,
			sinceStart: 2 * hourMs,
			credit: 1,
		},
		{
			when: 'when its turn came before the start',
			sinceTurn: 1.5 * hourMs,
			sinceStart: hourMs,
			credit: 0.25,
		},
	])('a trigger has $credit polls $when', ({ sinceTurn, sinceStart, credit }) => {
		const at = turn + sinceTurn;
		const share = shareAfterStart({ ...started, firstDueAtMs: at - sinceStart }, 2, at);
		expect(share).toMatchObject({ credit, calculatedAtMs: at, perDay: 8 });
	});

	test.each([
		['debts stay', { ...stored, credit: -50 }, -50 + 9 * 4],
		[
			'what was stored by a clock that was ahead tells nothing',
			{ ...stored, credit: -50, calculatedAtMs: nowMs + dayMs },
			1,
		],
		['nothing is saved up', { ...stored, credit: 90 }, 1],
		['nothing stored is no debt', undefined, 1],
	])('%s', (_, before, credit) => {
		const firstDueAtMs = before ? turn : 0;
		const share = shareAfterStart({ ...started, stored: before, firstDueAtMs }, 2, turn);
		expect(share.credit).toBe(credit);
	});

	test.each([
		['what polls cost on average', { ...stored, cost: 3 }, 1],
		['what a poll costs at least', stored, 3],
	])('turns are as much rarer as polls are dearer: %s', (_, before, leastCost) => {
		const third = Math.floor(nowMs / (18 * hourMs)) * 18 * hourMs;
		const at = third + 9 * hourMs;
		const trigger = { stored: before, turnOffset: 0, leastCost, firstDueAtMs: at };
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
		{ monthlyLimit: 9_300, monthlyRemaining: 8_300, monthReturnsAt: nowMs + 15 * dayMs },
		500,
	],
	[
		'less than nothing where more is gone',
		{ monthlyLimit: 9_300, monthlyRemaining: 5_300, monthReturnsAt: nowMs + 15 * dayMs },
		-2_500,
	],
	[
		'nothing in a month that is longer',
		{ monthlyLimit: 9_300, monthlyRemaining: 9_300, monthReturnsAt: nowMs + 31 * dayMs },
		0,
	],
])("what is unspent of polling's third: %s", (_, usage, expected) => {
	expect(unspentOf(usage, nowMs)).toEqual(expected);
});

describe('a poll', () => {
	const before = { credit: 5, calculatedAtMs: nowMs, perDay: 100, cost: 2 };
	const usage = {
		monthlyLimit: 9_300,
		monthlyRemaining: 8_300,
		monthReturnsAt: nowMs + 15 * dayMs,
	};
	const spent = { requests: 3, usage: {}, requestsOfOthers: 0, isFirst: false };

	test.each([
		['costs its requests', spent, 2],
		[
			'pays for other processes, which spend with the same token',
			{ ...spent, requestsOfOthers: 1 },
			1,
		],
		[
			'pays for them at most three quarters of what it earned',
			{ ...spent, requestsOfOthers: 99 },
			-1,
		],
		['is not the first: what the month has left counts no more', { ...spent, usage }, 2],
		[
			'is the first: what the third has left is there again',
			{ ...spent, usage, isFirst: true },
			100,
		],
	])('%s', (_, cost, credit) => {
		const after = shareAfterPoll(before, 4, cost, 1, nowMs);
		expect(Math.round(after.credit)).toBe(credit);
		expect(after).toMatchObject({ cost: 2.25, triggers: 1 });
	});

	test('that is the first divides what is left among the triggers, and adds no debt', () => {
		const first = { ...spent, usage, isFirst: true };
		expect(shareAfterPoll(before, 4, first, 10, nowMs).credit).toBeCloseTo(10, 6);
		const gone = { ...first, usage: { ...usage, monthlyRemaining: 300 } };
		expect(shareAfterPoll(before, 4, gone, 1, nowMs).credit).toBe(2);
	});
});
