import { nextReadMs, type Progress } from '../../../nodes/EventPlatform/core/jobs/nextRead';

/** Reads of a job, each as when it was read and how many of its tasks were processed. */
const reads = (...progress: Array<[readAt: number, processed: number]>): Progress[] =>
	progress.map(([readAt, processed]) => ({ readAt: 1_000_000 + readAt, processed }));

const begun: [number, number] = [0, 0];

test.each<[string, Progress[], number]>([
	['that was never read', [], 1_000],
	['that was only accepted', reads(begun), 1_000],
	// 25 in two seconds: the other half takes two more, and a twentieth.
	['at the end that its progress predicts', reads(begun, [2_000, 25]), 2_100],
	['by the pace since it was accepted', reads(begun, [1_000, 30], [6_000, 40]), 1_575],
	['with its last task as if one were left', reads(begun, [50_000, 50]), 1_050],
	['with more tasks than it has as if one were left', reads(begun, [60_000, 60]), 1_050],
	['twice the time since nothing changed', reads(begun, [1_000, 0]), 2_000],
	['as soon as that, after progress', reads(begun, [1_000, 20], [2_500, 20]), 3_000],
	['counted from the first read that showed it', reads([0, 5], [1_000, 5], [2_000, 5]), 4_000],
	['as unchanged where it counts backwards', reads([0, 9], [1_000, 5]), 2_000],
	['after the longest pause at most', reads(begun, [60_000, 1]), 30_000],
	['after the longest pause where nothing changes', reads(begun, [600_000, 0]), 30_000],
])('a job %s is read again', (_, progress, ms) => {
	expect(nextReadMs(progress)).toBeCloseTo(ms);
});

test.each<[string, Progress[], number]>([
	['whose end is near', reads(begun, [1_000, 49]), 500],
	['whose reads came at the same time', reads(begun, [0, 0]), 500],
])('a job %s is left alone for half a second', (_, progress, ms) => {
	expect(nextReadMs(progress)).toBe(ms);
});

test('the end is that of all tasks of the job, which are fifty unless it says otherwise', () => {
	const progress = reads(begun, [10_000, 10]);
	expect(nextReadMs(progress, 12)).toBeCloseTo(2_100);
	expect(nextReadMs(progress, 30)).toBeCloseTo(21_000);
	expect(nextReadMs(progress.slice(0, 1), 1)).toBe(1_000);
});

test('without a prediction the time doubles as long as the job makes progress', () => {
	const progress = reads(begun, [2_000, 49]);
	expect(nextReadMs(progress, 50, false)).toBe(2_000);
	expect(nextReadMs(reads(begun, [2_000, 10], [5_000, 49]), 50, false)).toBe(5_000);
	expect(nextReadMs(reads(begun, [2_000, 10], [5_000, 10]), 50, false)).toBe(6_000);
});
