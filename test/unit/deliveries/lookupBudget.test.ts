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
async function lookUp(
	budget: LookupBudget,
	key: string,
	worth: Worth,
	now: number,
	perMinute = 10_000,
): Promise<boolean> {
	const limits = { perMinute, now: () => now };
	const found = await budget.within(
		key,
		limits,
		() => Promise.resolve(true),
		() => worth,
	);
	return found === true;
}

/** Invented ids until no more is looked up; how many were. */
async function flood(
	budget: LookupBudget,
	now: number,
	id: () => string,
	worth: Worth = 'forged',
): Promise<number> {
	for (let spent = 0; ; spent++) {
		if (!(await lookUp(budget, id(), worth, now))) return spent;
	}
}

function inventing(): () => string {
	let id = 0;
	return () => `forged-${id++}`;
}

test('no minute sees more confirmations than allowed, wherever the minute begins', async () => {
	const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
	await fc.assert(
		fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), async (pauses, perMinute) => {
			const budget = new LookupBudget();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (await lookUp(budget, 'key', 'genuine', now, perMinute)) taken.push(now);
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + minute);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again, also where a clock was set back', async () => {
	const budget = new LookupBudget();
	const at = (now: number) => lookUp(budget, 'key', 'genuine', now, 1);
	expect([await at(noon), await at(noon), await at(noon + 59_999)]).toEqual([true, false, false]);
	expect([await at(noon + minute), await at(noon - hour)]).toEqual([true, true]);
});

const same = (id: () => string) => {
	let count = 0;
	let key = '';
	// Twice, so that it looks like the platform.
	return () => (key = count++ % 2 ? key : id());
};
test.each<[string, () => string, Worth]>([
	['of invented ids', inventing(), 'forged'],
	['of invented ids, each sent twice', same(inventing()), 'forged'],
	['of one id again and again', () => 'forged', 'forged'],
	['whose lookups all end in 403 or 5xx', inventing(), 'unclear'],
	['of one id whose lookups all end in 403 or 5xx', () => 'forged', 'unclear'],
])('a flood %s cannot spend the 10,000 requests of a month', async (_, id, worth) => {
	const budget = new LookupBudget();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += between) {
		spent += await flood(budget, now, id, worth);
		spent += await flood(budget, now, id, worth);
	}
	expect(spent).toBeGreaterThan(600);
	expect(spent).toBeLessThan(9_500);
});

test('forgeries that are looked up at the same moment are counted as well', async () => {
	const budget = new LookupBudget();
	const all = Array.from({ length: 700 }, (_, n) => lookUp(budget, `f-${n}`, 'forged', noon));
	expect((await Promise.all(all)).filter(Boolean)).toHaveLength(480);
	// Nine in an hour
	expect(await flood(budget, noon + hour, inventing())).toBe(9);
});

test('in the midst of a flood, what the platform sends again is confirmed, also at a third attempt', async () => {
	const budget = new LookupBudget();
	const id = inventing();
	await flood(budget, noon, id);
	expect(await lookUp(budget, 'genuine', 'unclear', noon)).toBe(false);
	for (const second of [10, 20, 30]) await flood(budget, noon + second * 1_000, id);
	expect(await lookUp(budget, 'genuine', 'unclear', noon + 30_000)).toBe(true);
	expect(await lookUp(budget, 'genuine', 'genuine', noon + 90_000)).toBe(true);
	// After a flood there is room again within minutes.
	expect(await lookUp(budget, 'new', 'genuine', noon + 90_000)).toBe(false);
	expect(await lookUp(budget, 'other', 'genuine', noon + 7 * minute)).toBe(true);
});

test('one forgery that returns has its turn once', async () => {
	const budget = new LookupBudget();
	await flood(budget, noon, inventing());
	expect(await lookUp(budget, 'forged', 'forged', noon)).toBe(false);
	expect(await flood(budget, noon, () => 'forged')).toBe(1);
	expect(await flood(budget, noon, () => 'forged')).toBe(0);
});

test('genuine deliveries use up nothing, even where their first lookups ended in 5xx', async () => {
	const budget = new LookupBudget();
	for (let n = 0; n < 700; n++) {
		expect(await lookUp(budget, `genuine-${n}`, 'unclear', noon + n)).toBe(true);
		expect(await lookUp(budget, `genuine-${n}`, 'genuine', noon + n)).toBe(true);
	}
});

test('a lookup that breaks is unclear', async () => {
	const budget = new LookupBudget();
	const broken = () => Promise.reject(new Error('broken'));
	const limits = { perMinute: 9, now: () => noon };
	await expect(budget.within('key', limits, broken, () => 'genuine')).rejects.toThrow('broken');
	expect(budget.spent.level.lookups).toBe(1);
});

describe('an outage', () => {
	/** Every platform sends again: at once, then 0.5, 1, 2.5, 6 and 12 minutes later each. */
	const attempts = [0, 0.5, 1.5, 4, 10, 22].map((minutes) => minutes * minute);

	test.each([1, 9])(
		'of %s minutes: all of 300 deliveries in it are confirmed at one of their attempts',
		async (minutes) => {
			const budget = new LookupBudget();
			const open = new Map(
				Array.from({ length: 300 }, (_, n) => [`genuine-${n}`, noon + n * 100] as const),
			);
			let lookups = 0;
			for (const attempt of attempts) {
				for (const [key, sentAt] of open) {
					const now = sentAt + attempt;
					const worth = now < noon + minutes * minute ? 'unclear' : 'genuine';
					if (!(await lookUp(budget, key, worth, now, 300))) continue;
					lookups++;
					if (worth === 'genuine') open.delete(key);
				}
			}
			expect([...open.keys()]).toEqual([]);
			// The genuine ones; while it lasts, ten and one a minute of those that come first and of those that come again.
			expect(lookups).toBeLessThanOrEqual(300 + 2 * (10 + minutes));
		},
	);

	test('costs one lookup a minute after the first ten, and ends with the first answer', async () => {
		const budget = new LookupBudget();
		const id = inventing();
		let lookups = 0;
		for (let now = noon; now < noon + 3 * hour; now += 1_000) {
			if (await lookUp(budget, id(), 'unclear', now)) lookups++;
		}
		expect(lookups).toBe(10 + 179);
		expect(await lookUp(budget, 'genuine', 'genuine', noon + 3 * hour + minute)).toBe(true);
		expect(await lookUp(budget, 'other', 'genuine', noon + 3 * hour + minute)).toBe(true);
	});

	test('feigned by invented ids does not keep out what the platform sends again', async () => {
		const budget = new LookupBudget();
		await flood(budget, noon, inventing(), 'unclear');
		expect(await lookUp(budget, 'genuine', 'genuine', noon)).toBe(false);
		expect(await lookUp(budget, 'genuine', 'genuine', noon + 30_000)).toBe(true);
	});
});

test('a restart gives neither the minute nor the forgeries anew', async () => {
	const stored = (spent: Spent) => JSON.parse(JSON.stringify(spent)) as Spent;
	const before = new LookupBudget();
	await lookUp(before, 'key', 'genuine', noon, 1);
	const after = new LookupBudget(stored(before.spent));
	expect(await lookUp(after, 'key', 'genuine', noon + 1, 1)).toBe(false);
	await flood(before, noon + minute, inventing());
	const again = new LookupBudget(stored(before.spent));
	expect(await flood(again, noon + minute, inventing())).toBeLessThan(3);
});

test.each([[{}], [{ confirmations: 'many' }], [{ level: null }]])(
	'what was stored may be broken: %j',
	async (stored) => {
		const budget = new LookupBudget(stored as Partial<Spent>);
		expect(await lookUp(budget, 'key', 'genuine', noon)).toBe(true);
	},
);
