import * as fc from 'fast-check';
import { Allowance, type Spent } from '../../../nodes/EventPlatform/core/deliveries/lookupBudget';

const noon = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

/** Forgeries with ids that are invented each time, until no more is looked up; how many were. */
function flood(allowance: Allowance, now: number, id: () => string): number {
	for (let spent = 0; ; spent++) {
		const key = id();
		if (!allowance.take(key, now, 10_000)) return spent;
		allowance.settle(key, now, 'forged');
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
			const allowance = new Allowance();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (!allowance.take('key', now, perMinute)) continue;
				taken.push(now);
				allowance.settle('key', now, 'genuine');
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + minute);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again', () => {
	const allowance = new Allowance();
	expect([1, 2, 3].map(() => allowance.take('key', noon, 2))).toEqual([true, true, false]);
	expect(allowance.take('key', noon + 59_999, 2)).toBe(false);
	expect(allowance.take('key', noon + minute, 2)).toBe(true);
});

test.each<[string, () => string]>([
	['of invented ids', inventing()],
	['of one id again and again', () => 'forged'],
])('a flood %s cannot spend the 10,000 requests of a month', (_, id) => {
	const allowance = new Allowance();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += minute) {
		spent += flood(allowance, now, id);
	}
	expect(spent).toBeLessThan(9_500);
});

test('a flood that is sent twice, so that it looks like the platform, cannot either', () => {
	const allowance = new Allowance();
	const id = inventing();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += minute) {
		const key = id();
		spent += flood(allowance, now, () => key) + flood(allowance, now, () => key);
	}
	expect(spent).toBeLessThan(9_500);
});

test('forgeries that are looked up at the same moment are counted as well', () => {
	const allowance = new Allowance();
	const id = inventing();
	let spent = 0;
	for (let now = noon; now < noon + 30 * 24 * hour; now += minute) {
		const open: string[] = [];
		for (let key = id(); allowance.take(key, now, 300); key = id()) open.push(key);
		for (const key of open) allowance.settle(key, now, 'forged');
		spent += open.length;
	}
	expect(spent).toBeLessThan(9_500);
});

test('in the midst of a flood, what the platform sends again is confirmed', () => {
	const allowance = new Allowance();
	const id = inventing();
	flood(allowance, noon, id);
	expect(allowance.take('genuine', noon, 10_000)).toBe(false);
	for (const second of [10, 20, 30]) flood(allowance, noon + second * 1_000, id);
	expect(allowance.take('genuine', noon + 30_000, 10_000)).toBe(true);
});

test('so is what could not be confirmed at that time either, and comes a third time', () => {
	const allowance = new Allowance();
	flood(allowance, noon, inventing());
	allowance.take('genuine', noon, 10_000);
	expect(allowance.take('genuine', noon + 30_000, 10_000)).toBe(true);
	allowance.settle('genuine', noon + 31_000, 'unclear');
	expect(allowance.take('genuine', noon + 90_000, 10_000)).toBe(true);
});

test('one forgery that returns has its turn once', () => {
	const allowance = new Allowance();
	flood(allowance, noon, inventing());
	allowance.take('forged', noon, 10_000);
	expect(flood(allowance, noon, () => 'forged')).toBe(1);
});

test('after a flood there is room again within minutes, not the next day', () => {
	const allowance = new Allowance();
	flood(allowance, noon, inventing());
	expect(allowance.take('new', noon + 1_000, 120)).toBe(false);
	expect(allowance.take('other', noon + 7 * minute, 120)).toBe(true);
});

test('genuine deliveries use up nothing but their minute', () => {
	const allowance = new Allowance();
	const taken = Array.from({ length: 6_000 }, (_, n) => {
		const isTaken = allowance.take(`genuine-${n}`, noon + n, 10_000);
		allowance.settle(`genuine-${n}`, noon + n, 'genuine');
		return isTaken;
	});
	expect(taken.every(Boolean)).toBe(true);
});

test('a restart gives neither the minute nor the forgeries anew', () => {
	const stored = (spent: Spent) => JSON.parse(JSON.stringify(spent)) as Spent;
	const before = new Allowance();
	before.take('key', noon, 2);
	before.take('key', noon, 2);
	expect(new Allowance(stored(before.spent)).take('key', noon + 1, 2)).toBe(false);
	flood(before, noon + minute, inventing());
	expect(flood(new Allowance(stored(before.spent)), noon + minute, inventing())).toBeLessThan(3);
});

test.each([[{}], [{ confirmations: 'many' }], [{ levels: { first: {} } }]])(
	'what was stored may be broken: %j',
	(stored) => expect(new Allowance(stored as Partial<Spent>).take('key', noon, 1)).toBe(true),
);

test('a clock that is set back does not block confirmations', () => {
	const allowance = new Allowance();
	allowance.take('key', noon + hour, 1);
	expect(allowance.take('key', noon, 1)).toBe(true);
});
