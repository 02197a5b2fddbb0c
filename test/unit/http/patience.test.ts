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

test('each wait is twice as long as the one before, and a run slows down before it waits', () => {
	expect(waits('transfer').slice(0, 6)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
	expect(waits('run').slice(0, 4)).toEqual([0, 0, 500, 1_000]);
	expect(againAfterMs('request', 100)).toBeUndefined();
});
