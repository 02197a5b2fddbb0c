import { FirstReads } from '../../../nodes/EventPlatform/core/jobs/whenRead';

describe('when jobs are read first', () => {
	test('progress predicts how long they take, and the end of one is believed', () => {
		const reads = new FirstReads();
		expect(reads.dueAt(0, 0)).toBe(1_500);
		reads.recordEarly(1_500, 0.02, 4_000);
		expect(reads.dueAt(0, 0)).toBe(75_000);
		reads.recordEnd(60_000, false);
		expect(reads.dueAt(0, 0)).toBe(60_000);
	});

	test('two at once, and one more for each that came in time; after one that did not the others wait', () => {
		const reads = new FirstReads();
		expect(reads.dueAt(0, 2)).toBe(Infinity);
		reads.recordEnd(1_500, true);
		expect(reads.dueAt(0, 2)).toBe(1_500);
		reads.recordEarly(1_500, 0.5, 9_000);
		expect([reads.dueAt(0, 0), reads.dueAt(0, 2)]).toEqual([9_000, Infinity]);
	});
});
