import {
	earn,
	isPaid,
	perDayOf,
	usualPerDay,
} from '../../../nodes/EventPlatform/core/deliveries/pollingShare';
import type { Usage } from '../../../nodes/EventPlatform/core/http/ports';

const now = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;

test.each([
	[1, true],
	[0.99, false],
	[-5, false],
])('with %s requests saved up, the next poll is paid for: %s', (credit, expected) => {
	expect(isPaid({ credit, at: now, perDay: 100 })).toBe(expected);
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

const inTenDays = now + 10 * day;
test.each<[string, Partial<Usage>, number, number]>([
	['a third of the usual month where nothing is said', {}, 1, 10_000 / 31 / 3],
	['divided by four triggers', { monthlyLimit: 93_000 }, 4, 250],
	[
		'a third of what others left, until the month returns',
		{ monthlyLimit: 93_000, monthlyRemaining: 3_000, monthReturnsAt: inTenDays },
		1,
		100,
	],
	[
		'no more than evenly where the month is almost over and much is left',
		{ monthlyLimit: 93_000, monthlyRemaining: 90_000, monthReturnsAt: now + day },
		1,
		1_000,
	],
	[
		'no more than a third of what is left where it returns within hours',
		{ monthlyLimit: 93_000, monthlyRemaining: 300, monthReturnsAt: now + hour },
		1,
		100,
	],
	[
		'four looks where nothing is left and the month returns at this moment',
		{ monthlyLimit: 93_000, monthlyRemaining: 0, monthReturnsAt: now },
		1,
		4,
	],
])('a trigger may spend in a day: %s', (_, quota, triggers, expected) => {
	expect(perDayOf(quota, now, triggers)).toBeCloseTo(expected, 6);
});
