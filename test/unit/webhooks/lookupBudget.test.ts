import * as fc from 'fast-check';
import {
	LookupBudget,
	type Spent,
	type Worth,
} from '../../../nodes/EventPlatform/core/webhooks/lookupBudget';

const noon = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
/** A lookup is free again after less, so that a flood at these moments finds all there are. */
const between = 5 * minute;

function inventing(): () => string {
	let id = 0;
	return () => `forged-${id++}`;
}

function trying(stored?: object) {
	let time = noon;
	const budget = new LookupBudget(stored, () => time);

	/** One lookup from beginning to end; whether it was allowed. */
	async function lookUp(key: string, worth: Worth, now = noon, perMinute = 10_000) {
		time = now;
		budget.perMinute = perMinute;
		const found = () => Promise.resolve(true);
		return (await budget.within(key, found, () => worth)) === true;
	}

	/** Invented ids until no more is looked up; how many were. */
	async function flood(now = noon, id = inventing(), worth: Worth = 'forged'): Promise<number> {
		for (let spent = 0; ; spent++) if (!(await lookUp(id(), worth, now))) return spent;
	}

	/** After a restart. */
	const restarted = () => trying(JSON.parse(JSON.stringify(budget.spent)) as Spent);
	return { budget, lookUp, flood, restarted };
}

test('no minute sees more confirmations than allowed, wherever the minute begins', async () => {
	const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
	await fc.assert(
		fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), async (pauses, perMinute) => {
			const { lookUp } = trying();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (await lookUp('key', 'genuine', now, perMinute)) taken.push(now);
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + minute);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again, also where a clock was set back', async () => {
	const { lookUp } = trying();
	const at = (now: number) => lookUp('key', 'genuine', now, 1);
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
	const { flood } = trying();
	let [spent, firstDay] = [0, 0];
	for (let now = noon; now < noon + 30 * 24 * hour; now += between) {
		spent += await flood(now, id, worth);
		spent += await flood(now, id, worth);
		if (now < noon + 24 * hour) firstDay = spent;
	}
	expect(firstDay).toBeLessThanOrEqual(816);
	expect(spent).toBeGreaterThan(600);
	expect(spent).toBeLessThanOrEqual(7_080);
});

test('forgeries that are looked up at the same moment are counted as well', async () => {
	const { lookUp, flood } = trying();
	const all = Array.from({ length: 700 }, (_, n) => lookUp(`f-${n}`, 'forged'));
	expect((await Promise.all(all)).filter(Boolean)).toHaveLength(480);
	// Nine in an hour
	expect(await flood(noon + hour)).toBe(9);
});

test('in the midst of a flood, what the platform sends again is confirmed, also at a third attempt', async () => {
	const { lookUp, flood } = trying();
	const id = inventing();
	await flood(noon, id);
	expect(await lookUp('genuine', 'unclear')).toBe(false);
	for (const second of [10, 20, 30]) await flood(noon + second * 1_000, id);
	expect(await lookUp('genuine', 'unclear', noon + 30_000)).toBe(true);
	expect(await lookUp('genuine', 'genuine', noon + 90_000)).toBe(true);
	// After a flood there is room again within minutes.
	expect(await lookUp('new', 'genuine', noon + 90_000)).toBe(false);
	expect(await lookUp('other', 'genuine', noon + 7 * minute)).toBe(true);
});

test('one forgery that returns has its turn once', async () => {
	const { lookUp, flood } = trying();
	await flood();
	expect(await lookUp('forged', 'forged')).toBe(false);
	expect([await flood(noon, () => 'forged'), await flood(noon, () => 'forged')]).toEqual([1, 0]);
});

test('what was denied, perhaps too early, still has its turn in a flood', async () => {
	const { lookUp, flood } = trying();
	expect(await lookUp('early', 'forged')).toBe(true);
	await flood();
	const again = () => lookUp('early', 'genuine');
	expect([await again(), await again()]).toEqual([false, true]);
});

test('genuine deliveries use up nothing, even where their first lookups ended in 5xx', async () => {
	const { lookUp } = trying();
	for (let n = 0; n < 700; n++) {
		expect(await lookUp(`genuine-${n}`, 'unclear', noon + n)).toBe(true);
		expect(await lookUp(`genuine-${n}`, 'genuine', noon + n)).toBe(true);
	}
});

test('a lookup that breaks is unclear', async () => {
	const { budget } = trying();
	const broken = () => Promise.reject(new Error('broken'));
	await expect(budget.within('key', broken, () => 'genuine')).rejects.toThrow('broken');
	expect(budget.spent.until).toBeGreaterThan(noon);
});

describe('an outage', () => {
	/** Every platform sends again: at once, then 0.5, 1, 2.5, 6 and 12 minutes later each. */
	const attempts = [0, 0.5, 1.5, 4, 10, 22].map((minutes) => minutes * minute);

	test.each([1, 9])(
		'of %s minutes: all of 300 deliveries in it are confirmed at one of their attempts',
		async (minutes) => {
			const { lookUp } = trying();
			const open = new Map(Array.from({ length: 300 }, (_, n) => [`genuine-${n}`, noon + n * 100]));
			let lookups = 0;
			for (const attempt of attempts) {
				for (const [key, sentAt] of open) {
					const now = sentAt + attempt;
					const worth = now < noon + minutes * minute ? 'unclear' : 'genuine';
					if (!(await lookUp(key, worth, now, 300))) continue;
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
		const { lookUp } = trying();
		const id = inventing();
		let lookups = 0;
		for (let now = noon; now < noon + 3 * hour; now += 1_000) {
			if (await lookUp(id(), 'unclear', now)) lookups++;
		}
		expect(lookups).toBe(10 + 179);
		for (const key of ['genuine', 'other'])
			expect(await lookUp(key, 'genuine', noon + 3 * hour + minute)).toBe(true);
	});
});

test('a restart gives neither the minute nor the forgeries anew', async () => {
	const { lookUp, flood, restarted } = trying();
	await lookUp('key', 'genuine', noon, 1);
	expect(await restarted().lookUp('key', 'genuine', noon + 1, 1)).toBe(false);
	await flood(noon + minute);
	expect(await restarted().flood(noon + minute)).toBeLessThan(3);
});

test.each([[{}], [{ confirmations: 'many' }], [{ until: null }]])(
	'what was stored may be broken: %j',
	async (stored) => expect(await trying(stored).lookUp('key', 'genuine')).toBe(true),
);
