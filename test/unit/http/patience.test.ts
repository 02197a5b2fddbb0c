import { againAfterMs } from '../../../nodes/EventPlatform/core/http/patience';

/** All waits until it is given up. */
function waits(what: Parameters<typeof againAfterMs>[0]): number[] {
	const all: number[] = [];
	for (let failures = 1; ; failures++) {
		const ms = againAfterMs(what, failures);
		if (ms === undefined) return all;
		all.push(ms);
	}
}

test.each<[Parameters<typeof againAfterMs>[0], number, number, number]>([
	['request', 3, 3_500, 2_000],
	['refusal', 14, 95_000, 8_000],
	['shipment', 7, 61_500, 30_000],
	['lateResults', 4, 15_000, 8_000],
	['run', 11, 121_500, 30_000],
	['steps', 11, 0, 0],
	['transfer', 10, 55_500, 8_000],
])('a %s has %i more tries, %i ms in all, %i at most between two', (what, more, sum, most) => {
	const all = waits(what);
	expect(all).toHaveLength(more);
	expect(all.reduce((one, other) => one + other, 0)).toBe(sum);
	expect(Math.max(...all)).toBe(most);
});

test('each wait is twice as long as the one before, and a run slows down before it waits', () => {
	expect(waits('transfer').slice(0, 6)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
	expect(waits('run').slice(0, 4)).toEqual([0, 0, 500, 1_000]);
	expect(againAfterMs('request', 100)).toBeUndefined();
});
