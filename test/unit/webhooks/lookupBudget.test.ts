import * as fc from 'fast-check';
import {
	LookupBudget,
	type LookupResult,
} from '../../../nodes/EventPlatform/core/webhooks/lookupBudget';
import { minuteMs, hourMs, dayMs } from '../../support/time/units';

const noon = Date.parse('2026-11-21T12:00:00Z');
/** Lookups of a day that may prove nothing. */
const inDay = 240;

function newBudget() {
	let time = noon;
	const budget = new LookupBudget(() => time);

	/** One lookup from beginning to end; whether it was allowed. */
	async function lookUp(worth: LookupResult, now = noon, perMinute = 10_000): Promise<boolean> {
		time = now;
		const ask = () => Promise.resolve(true);
		return (await budget.lookUp(perMinute, ask, () => worth)) === true;
	}

	/** Lookups until no more is allowed; how many were. */
	async function flood(now = noon, worth: LookupResult = 'unproven'): Promise<number> {
		for (let spent = 0; ; spent++) if (!(await lookUp(worth, now))) return spent;
	}
	return { budget, lookUp, flood };
}

test('no minute sees more lookups than allowed, wherever the minute begins', async () => {
	const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
	await fc.assert(
		fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), async (pauses, perMinute) => {
			const { lookUp } = newBudget();
			const taken: number[] = [];
			let now = noon;
			for (const pause of pauses) {
				now += pause;
				if (await lookUp('proven', now, perMinute)) taken.push(now);
			}
			for (const start of taken) {
				const inMinute = taken.filter((at) => at >= start && at < start + minuteMs);
				expect(inMinute.length).toBeLessThanOrEqual(perMinute);
			}
		}),
	);
});

test('a minute later there is room again, also where a clock was set back', async () => {
	const { lookUp } = newBudget();
	const at = (now: number) => lookUp('proven', now, 1);
	expect([await at(noon), await at(noon), await at(noon + 59_999)]).toEqual([true, false, false]);
	expect([await at(noon + minuteMs), await at(noon - hourMs)]).toEqual([true, true]);
});

test.each<LookupResult>(['unproven', 'unclear'])(
	'a flood of deliveries that prove %s cannot spend the 10,000 requests of a month',
	async (worth) => {
		const { flood } = newBudget();
		let spent = 0;
		for (let now = noon; now < noon + 30 * dayMs; now += 5 * minuteMs)
			spent += await flood(now, worth);
		expect(spent).toBeGreaterThan(20 * inDay);
		expect(spent).toBeLessThanOrEqual(31 * inDay);
	},
);

test('a day after a flood has begun there is room again', async () => {
	const { flood, lookUp } = newBudget();
	expect(await flood()).toBe(inDay);
	expect(await lookUp('proven', noon + dayMs - 1)).toBe(false);
	expect(await lookUp('proven', noon + dayMs)).toBe(true);
});

test('forgeries that are looked up at the same moment are counted as well', async () => {
	const { lookUp } = newBudget();
	const all = Array.from({ length: 700 }, () => lookUp('unproven'));
	expect((await Promise.all(all)).filter(Boolean)).toHaveLength(inDay);
});

test('genuine deliveries use up nothing of the day', async () => {
	const { lookUp } = newBudget();
	for (let n = 0; n < 700; n++) expect(await lookUp('proven', noon + n)).toBe(true);
});

test('a lookup that breaks is unclear', async () => {
	const { budget, flood } = newBudget();
	const broken = () => Promise.reject(new Error('broken'));
	await expect(budget.lookUp(1, broken, () => 'proven')).rejects.toThrow('broken');
	expect(await flood()).toBe(inDay - 1);
});

describe('an outage', () => {
	/** Every platform sends again: at once, then 0.5, 1, 2.5, 6 and 12 minutes later each. */
	const attempts = [0, 0.5, 1.5, 4, 10, 22].map((minutes) => minutes * minuteMs);

	test.each([1, 9])(
		'of %s minutes: all of 300 deliveries in it are confirmed at one of their attempts',
		async (minutes) => {
			const { lookUp } = newBudget();
			const open = new Set(Array.from({ length: 300 }, (_, n) => noon + n * 100));
			let lookups = 0;
			for (const attempt of attempts) {
				for (const sentAt of open) {
					const now = sentAt + attempt;
					const worth = now < noon + minutes * minuteMs ? 'unclear' : 'proven';
					if (!(await lookUp(worth, now, 300))) continue;
					lookups++;
					if (worth === 'proven') open.delete(sentAt);
				}
			}
			expect([...open]).toEqual([]);
			// The genuine ones; while it lasts, ten and one a minute.
			expect(lookups).toBeLessThanOrEqual(300 + 10 + minutes);
		},
	);

	test('is not seen in ten lookups that fail together', async () => {
		let now = noon;
		const budget = new LookupBudget(() => now);
		const fail = () => Promise.reject(new Error('broken'));
		const together = Array.from({ length: 10 }, () => budget.lookUp(100, fail));
		now += 1_000;
		await Promise.allSettled(together);
		expect(await budget.lookUp(100, () => Promise.resolve(true))).toBe(true);
	});

	test('costs one lookup a minute after the first ten, and ends with the first answer', async () => {
		const { lookUp } = newBudget();
		let lookups = 0;
		for (let now = noon; now < noon + 3 * hourMs; now += 1_000) {
			if (await lookUp('unclear', now)) lookups++;
		}
		expect(lookups).toBe(10 + 179);
		for (let n = 0; n < 2; n++)
			expect(await lookUp('proven', noon + 3 * hourMs + minuteMs)).toBe(true);
	});
});
