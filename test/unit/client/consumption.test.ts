import { recordConsumption, rateOf } from '../../../nodes/EventPlatform/core/client/consumption';

const hour = 3_600_000;
const day = 24 * hour;

describe('what is spent in a day', () => {
	const minute = 60_000;

	test('twenty requests may have overtaken each other, one more is a new month', () => {
		const before = [{ takenAt: 0, remaining: 100 }];
		expect(recordConsumption(before, 120, 1)).toEqual(before);
		expect(recordConsumption(before, 121, 1)).toEqual([{ takenAt: 1, remaining: 121 }]);
	});

	test('a sample comes every quarter of an hour', () => {
		const before = [{ takenAt: hour, remaining: 100 }];
		const next = { takenAt: hour + 15 * minute, remaining: 90 };
		expect(recordConsumption(before, 90, next.takenAt - 1)).toBe(before);
		expect(recordConsumption(before, undefined, next.takenAt)).toBe(before);
		expect(recordConsumption(before, 90, next.takenAt)).toEqual([...before, next]);
	});

	test('the newest sample that is a day old is kept, older ones are not', () => {
		const before = [0, 1, 2].map((hours) => ({ takenAt: hours * hour, remaining: 100 - hours }));
		const now = { takenAt: day + hour, remaining: 50 };
		expect(recordConsumption(before, 50, now.takenAt)).toEqual([...before.slice(1), now]);
		expect(recordConsumption(before, 50, day - 1)).toHaveLength(4);
		expect(rateOf(before, 50, day + hour)).toEqual({ perDay: 49, beganAt: hour });
	});

	test('an hour is enough for a measure, and nobody spends less than nothing', () => {
		const first = [{ takenAt: hour, remaining: 100 }];
		expect(rateOf(first, 99, 2 * hour)).toEqual({ perDay: 24, beganAt: hour });
		expect(rateOf(first, 99, 2 * hour - 1)).toBeUndefined();
		expect(rateOf(first, 110, 2 * hour)).toEqual({ perDay: 0, beganAt: hour });
		expect(rateOf(first, undefined, 2 * hour)).toBeUndefined();
	});
});
