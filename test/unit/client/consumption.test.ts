import {
	recordConsumption,
	consumptionRate,
} from '../../../nodes/EventPlatform/core/client/consumption';
import { minuteMs, hourMs, dayMs } from '../../support/time/units';

describe('what is spent in a day', () => {
	test('twenty requests may have overtaken each other, one more is a new month', () => {
		const before = [{ takenAt: 0, remaining: 100 }];
		expect(recordConsumption(before, 120, 1)).toEqual(before);
		expect(recordConsumption(before, 121, 1)).toEqual([{ takenAt: 1, remaining: 121 }]);
	});

	test('a sample comes every quarter of an hour', () => {
		const before = [{ takenAt: hourMs, remaining: 100 }];
		const next = { takenAt: hourMs + 15 * minuteMs, remaining: 90 };
		expect(recordConsumption(before, 90, next.takenAt - 1)).toBe(before);
		expect(recordConsumption(before, undefined, next.takenAt)).toBe(before);
		expect(recordConsumption(before, 90, next.takenAt)).toEqual([...before, next]);
	});

	test('the newest sample that is a day old is kept, older ones are not', () => {
		const before = [0, 1, 2].map((hours) => ({ takenAt: hours * hourMs, remaining: 100 - hours }));
		const now = { takenAt: dayMs + hourMs, remaining: 50 };
		expect(recordConsumption(before, 50, now.takenAt)).toEqual([...before.slice(1), now]);
		expect(recordConsumption(before, 50, dayMs - 1)).toHaveLength(4);
		expect(consumptionRate(before, 50, dayMs + hourMs)).toEqual({ perDay: 49, beganAt: hourMs });
	});

	test('an hour is enough for a measure, and nobody spends less than nothing', () => {
		const first = [{ takenAt: hourMs, remaining: 100 }];
		expect(consumptionRate(first, 99, 2 * hourMs)).toEqual({ perDay: 24, beganAt: hourMs });
		expect(consumptionRate(first, 99, 2 * hourMs - 1)).toBeUndefined();
		expect(consumptionRate(first, 110, 2 * hourMs)).toEqual({ perDay: 0, beganAt: hourMs });
		expect(consumptionRate(first, undefined, 2 * hourMs)).toBeUndefined();
	});
});
