import * as fc from 'fast-check';
import {
	LookupBudget,
	type Spent,
	type Worth,
} from '../../../nodes/EventPlatform/core/deliveries/lookupBudget';

const noon = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
/** A lookup is free again after less, so that a flood at these moments finds all there are. */
const between = 5 * minute;

/** One lookup from beginning to end; whether it was allowed. */
function lookUp(
	budget: LookupBudget,
	key: string,
	worth: Worth,
	now: number,
	perMinute = 10_000,
): boolean {
	const mayAsk = budget.take(key, now, perMinute);
	if (mayAsk) budget.settle(key, worth, now);
	return mayAsk;
}

/** Invented ids until no more is looked up; how many were. */
function flood(
	budget: LookupBudget,
	now: number,
	id: () => string,
	worth: Worth = 'forged',
): number {
	for (let spent = 0; ; spent++) {
		if (!lookUp(budget, id(), worth, now)) return spent;
	}
}

function inventing(): () => string {
	let id = 0;
	return () => `forged-${id++}`;
}

test('no minute sees more confirmations than allowed, wherever the minute begins', () => {
	const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
	fc.assert(
		fc.property(steps, fc.integer({ min: 1, max: 8 }), (pauses, perMinute) => {
			const budget = new LookupBudget();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (lookUp(budget, 'key', 'genuine', now, perMinute)) taken.push(now);
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + minute);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again', () => {
	const budget = new LookupBudget();
	const taken = [1, 2, 3].map(() => lookUp(budget, 'key', 'genuine', noon, 2));
	expect(taken).toEqual([true, true, false]);
	expect(lookUp(budget, 'key', 'genuine', noon + 59_999, 2)).toBe(false);
	expect(lookUp(budget, 'key', 'genuine', noon + minute, 2)).toBe(true);
});

test.each<[string, () => string, Worth]>([
	['of invented ids', inventing(), 'forged'],
	['of one id again and again', () => 'forged', 'forged'],
	['whose lookups all end in 403 or 5xx', inventing(), 'unclear'],
	['of one id whose lookups all end in 403 or 5xx', () => 'forged', 'unclear'],
])('a flood %s cannot spend the 10,000 requests of a month', (_, id, worth) => {
	const budget = new LookupBudget();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += between) {
		spent += flood(budget, now, id, worth);
	}
	expect(spent).toBeLessThan(9_500);
});

test('a flood that is sent twice, so that it looks like the platform, cannot either', () => {
	const budget = new LookupBudget();
	const id = inventing();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += between) {
		const key = id();
		spent += flood(budget, now, () => key) + flood(budget, now, () => key);
	}
	expect(spent).toBeLessThan(9_500);
});

test('forgeries that are looked up at the same moment are counted as well', () => {
	const budget = new LookupBudget();
	const id = inventing();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += between) {
		const open: string[] = [];
		for (let key = id(); budget.take(key, now, 300); key = id()) open.push(key);
		for (const key of open) budget.settle(key, 'forged', now);
		spent += open.length;
	}
	expect(spent).toBeLessThan(9_500);
});

test('in the midst of a flood, what the platform sends again is confirmed', () => {
	const budget = new LookupBudget();
	const id = inventing();
	flood(budget, noon, id);
	expect(lookUp(budget, 'genuine', 'genuine', noon)).toBe(false);
	for (const second of [10, 20, 30]) flood(budget, noon + second * 1_000, id);
	expect(lookUp(budget, 'genuine', 'genuine', noon + 30_000)).toBe(true);
});

test('so is what could not be confirmed at that time either, and comes a third time', () => {
	const budget = new LookupBudget();
	flood(budget, noon, inventing());
	expect(lookUp(budget, 'genuine', 'unclear', noon)).toBe(false);
	expect(lookUp(budget, 'genuine', 'unclear', noon + 30_000)).toBe(true);
	expect(lookUp(budget, 'genuine', 'genuine', noon + 90_000)).toBe(true);
	// After a flood there is room again within minutes.
	expect(lookUp(budget, 'new', 'genuine', noon + 90_000)).toBe(false);
	expect(lookUp(budget, 'other', 'genuine', noon + 7 * minute)).toBe(true);
});

test('one forgery that returns has its turn once', () => {
	const budget = new LookupBudget();
	flood(budget, noon, inventing());
	expect(lookUp(budget, 'forged', 'forged', noon)).toBe(false);
	expect(flood(budget, noon, () => 'forged')).toBe(1);
	expect(flood(budget, noon, () => 'forged')).toBe(0);
});

test('genuine deliveries use up nothing, even where their first lookups ended in 5xx', () => {
	const budget = new LookupBudget();
	for (let n = 0; n < 700; n++) {
		expect(lookUp(budget, `genuine-${n}`, 'unclear', noon + n)).toBe(true);
		expect(lookUp(budget, `genuine-${n}`, 'genuine', noon + n)).toBe(true);
	}
});

describe('an outage', () => {
	/** Every platform sends again: at once, then 0.5, 1, 2.5, 6 and 12 minutes later each. */
	const attempts = [0, 0.5, 1.5, 4, 10, 22].map((minutes) => minutes * minute);

	test.each([1, 9])(
		'of %s minutes: all of 100 deliveries in it are confirmed at one of their attempts',
		(minutes) => {
			const budget = new LookupBudget();
			const open = new Map(
				Array.from({ length: 100 }, (_, n) => [`genuine-${n}`, noon + n * 100] as const),
			);
			let lookups = 0;
			for (const attempt of attempts) {
				for (const [key, sentAt] of open) {
					const now = sentAt + attempt;
					const worth = now < noon + minutes * minute ? 'unclear' : 'genuine';
					if (!lookUp(budget, key, worth, now, 120)) continue;
					lookups++;
					if (worth === 'genuine') open.delete(key);
				}
			}
			expect([...open.keys()]).toEqual([]);
			// 100 genuine ones; ten and one a minute for each of the two budgets while it lasts.
			expect(lookups).toBeLessThanOrEqual(100 + 2 * (10 + minutes));
		},
	);

	test('of three hours costs one lookup a minute at most, and ends with the first answer', () => {
		const budget = new LookupBudget();
		const id = inventing();
		let lookups = 0;
		for (let now = noon; now < noon + 3 * hour; now += 1_000) {
			if (lookUp(budget, id(), 'unclear', now)) lookups++;
		}
		expect(lookups).toBeLessThanOrEqual(10 + 180);
		expect(lookUp(budget, 'genuine', 'genuine', noon + 3 * hour + minute)).toBe(true);
		expect(lookUp(budget, 'other', 'genuine', noon + 3 * hour + minute)).toBe(true);
	});

	test('is over for one lookup after a minute, not sooner', () => {
		const budget = new LookupBudget();
		const id = inventing();
		const inARow = Array.from({ length: 12 }, () => lookUp(budget, id(), 'unclear', noon));
		expect(inARow).toEqual([...Array<boolean>(10).fill(true), false, false]);
		expect(lookUp(budget, id(), 'unclear', noon + minute - 1)).toBe(false);
		expect(lookUp(budget, id(), 'unclear', noon + minute)).toBe(true);
		expect(lookUp(budget, id(), 'unclear', noon + minute)).toBe(false);
	});

	test('feigned by invented ids does not keep out what the platform sends again', () => {
		const budget = new LookupBudget();
		flood(budget, noon, inventing(), 'unclear');
		expect(lookUp(budget, 'genuine', 'genuine', noon)).toBe(false);
		expect(lookUp(budget, 'genuine', 'genuine', noon + 30_000)).toBe(true);
	});
});

test('a restart gives neither the minute nor the forgeries anew', () => {
	const stored = (spent: Spent) => JSON.parse(JSON.stringify(spent)) as Spent;
	const before = new LookupBudget();
	[1, 2].forEach(() => lookUp(before, 'key', 'genuine', noon, 2));
	const after = new LookupBudget(stored(before.spent));
	expect(lookUp(after, 'key', 'genuine', noon + 1, 2)).toBe(false);
	flood(before, noon + minute, inventing());
	expect(flood(new LookupBudget(stored(before.spent)), noon + minute, inventing())).toBeLessThan(3);
});

test.each([[{}], [{ confirmations: 'many' }], [{ level: null }]])(
	'what was stored may be broken: %j',
	(stored) =>
		expect(lookUp(new LookupBudget(stored as Partial<Spent>), 'key', 'genuine', noon)).toBe(true),
);

test('a clock that is set back does not block confirmations', () => {
	const budget = new LookupBudget();
	lookUp(budget, 'key', 'genuine', noon + hour, 1);
	expect(lookUp(budget, 'key', 'genuine', noon, 1)).toBe(true);
});
