import * as fc from 'fast-check';
import {
	Allowance,
	forgeriesPerDay,
	type Spent,
} from '../../../nodes/EventPlatform/trigger/allowance';

const noon = Date.parse('2026-11-21T12:00:00Z');

test('no minute sees more confirmations than allowed, wherever the minute begins', () => {
	const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
	fc.assert(
		fc.property(steps, fc.integer({ min: 1, max: 8 }), (pauses, perMinute) => {
			const allowance = new Allowance();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (allowance.take(now, perMinute)) taken.push(now);
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + 60_000);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again', () => {
	const allowance = new Allowance();
	expect([1, 2, 3].map(() => allowance.take(noon, 2))).toEqual([true, true, false]);
	expect(allowance.take(noon + 59_999, 2)).toBe(false);
	expect(allowance.take(noon + 60_000, 2)).toBe(true);
});

test('a flood of forgeries that lasts a month cannot spend the 10,000 requests of the month', () => {
	const allowance = new Allowance();
	let spent = 0;
	for (let minute = 0; minute < 30 * 24 * 60; minute++) {
		const now = noon + minute * 60_000;
		for (let call = 0; call < 120; call++) {
			if (!allowance.take(now, 120)) break;
			allowance.exposed(now);
			spent++;
		}
	}
	expect(spent).toBeLessThan(10_000);
	expect(spent).toBeGreaterThanOrEqual(30 * forgeriesPerDay);
});

test('genuine deliveries do not use up the day', () => {
	const allowance = new Allowance();
	const taken = Array.from({ length: 600 }, (_, minute) =>
		allowance.take(noon + minute * 60_000, 1),
	);
	expect(taken.every(Boolean)).toBe(true);
});

test('a restart does not give the minute anew', () => {
	const before = new Allowance();
	before.take(noon, 2);
	before.take(noon, 2);
	const stored = JSON.parse(JSON.stringify(before.spent)) as Spent;
	expect(new Allowance(stored).take(noon + 1, 2)).toBe(false);
});

test.each([[{}], [{ confirmations: 'many' }], [{ day: null, forgeries: [] }]])(
	'what was stored may be broken: %j',
	(stored) => expect(new Allowance(stored as Partial<Spent>).take(noon, 1)).toBe(true),
);

test('a clock that is set back does not block confirmations', () => {
	const allowance = new Allowance();
	allowance.take(noon + 3_600_000, 1);
	expect(allowance.take(noon, 1)).toBe(true);
});
