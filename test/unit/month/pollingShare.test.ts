import * as share from '../../../nodes/EventPlatform/core/month/pollingShare';

const { earn, isPaid, perDayOf, pollersOf, usualPerDay } = share;
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
	expect(isPaid({ credit, at: now, perDay: 100 }, hasMore)).toBe(expected);
});

test.each([
	['is over with its month, at a look that is due', now, 6 * hour, 2],
	['stays until then', now + 1, 6 * hour, -89],
	['stays where the month always returns within the minute', now, hour / 60, -90],
])('what was spent in advance %s', (_, returnsAt, ago, credit) => {
	const earned = earn({ credit: -90, at: now - ago, perDay: 4, returnsAt }, now);
	expect(Math.round(earned.credit)).toBe(credit);
});

test.each([
	['nothing was stored: a day is there from the start', undefined, usualPerDay],
	['half a day pays for half of it', { credit: 0, at: now - 12 * hour, perDay: 100 }, 50],
	['an hour pays for what was spent in advance', { credit: -10, at: now - hour, perDay: 240 }, 0],
	['at most a day is kept', { credit: 60, at: now - 9 * day, perDay: 100 }, 100],
	['what was saved with a larger share stays', { credit: 150, at: now - day, perDay: 100 }, 150],
	['a clock that was set back takes nothing', { credit: 20, at: now + day, perDay: 100 }, 20],
])('the requests that polling may spend: %s', (_, stored, credit) => {
	expect(earn(stored, now)).toEqual({ credit, at: now, perDay: stored?.perDay ?? usualPerDay });
});

test('a trigger may spend in a day a third of the usual month, divided by all triggers', () => {
	expect(perDayOf({}, now, 1)).toBeCloseTo(10_000 / 31 / 3, 6);
	expect(perDayOf({ monthlyLimit: 93_000 }, now, 4)).toBeCloseTo(250, 6);
});

test.each([
	['a third of it, until the month returns', 3_000, 10 * day, 100],
	['no more than evenly where the month is almost over and much is left', 90_000, day, 1_000],
	['no more than a third of it where the month returns within hours', 300, hour, 100],
	['four looks where nothing is left and the month returns at this moment', 0, 0, 4],
])('of what others left a trigger may spend in a day: %s', (_, left, returnsIn, expected) => {
	const month = { monthlyRemaining: left, monthReturnsAt: now + returnsIn };
	expect(perDayOf({ monthlyLimit: 93_000, ...month }, now, 1)).toBeCloseTo(expected, 6);
});

test('those divide a share that polled with its credential within a day', () => {
	expect([pollersOf('a', '1', now), pollersOf('a', '2', now + 1)]).toEqual([1, 2]);
	expect([pollersOf('b', '3', now + 1), pollersOf('a', '2', now + 1)]).toEqual([1, 2]);
	expect([pollersOf('a', '2', now + day), pollersOf('a', '2', now + day + 1)]).toEqual([2, 1]);
});
