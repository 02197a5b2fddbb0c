import { Job } from '../../../nodes/EventPlatform/core/bulk/job';
import { FirstReads } from '../../../nodes/EventPlatform/core/bulk/firstReads';
import type { DueTime } from '../../../nodes/EventPlatform/core/bulk/queue';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';

/** Fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;
const all: TaskResult[] = Array.from({ length: 50 }, () => ({ status: 'registered', errors: [] }));

/** Jobs of fifty people that were accepted at 0. */
function accepted(reads = new FirstReads()) {
	const sent = { sessionId: 's', people: [...Array(50).keys()] };
	return { reads, job: () => new Job('j', sent, 0, reads) };
}

/** When a job that was accepted at 0 is read first, after what others have shown. */
function expected(shown: (reads: FirstReads) => void): DueTime {
	const reads = new FirstReads();
	shown(reads);
	return reads.dueAt(0, 0);
}

describe('a job is first read', () => {
	test.each<[string, number, (reads: FirstReads) => void]>([
		['after a guess', firstGuessMs, () => {}],
		[
			'when the progress of another predicts',
			5_000,
			(reads) => reads.recordEarlyRead(1_000, 0.2, 0),
		],
		['after twice the age of one not begun', 4_000, (reads) => reads.recordEarlyRead(2_000, 0, 0)],
		['after what the first has taken', 4_000, (reads) => reads.recordEnd(4_000, false)],
		[
			'by what has ended, not by the progress of others',
			1_000,
			(reads) => {
				reads.recordEnd(1_000, false);
				reads.recordEarlyRead(9_000, 0, 0);
			},
		],
		[
			'earlier where a first read came early enough, after a late one',
			1_450,
			(reads) => [9_000, 1_400].forEach((ms) => reads.recordEnd(ms, true)),
		],
		['when the second of two that came too early is read again', 7_000, twoTooEarly],
		['as if one that came too early were chance', 3_000, (reads) => tooEarly(reads, 6_000)],
	])('%s: %j', (_, at, shown) => {
		expect(expected(shown)).toBe(at);
	});

	test('two at once, and one more for each that came in time', () => {
		const { reads, job } = accepted();
		expect([1, 2].map((reading) => reads.dueAt(0, reading))).toEqual([
			firstGuessMs,
			'afterAnotherRead',
		]);
		expect(job().recordReading({ kind: 'over', results: all }, 2_000)).toBe(all);
		expect([2, 3].map((reading) => reads.dueAt(0, reading))).toEqual([
			firstGuessMs,
			'afterAnotherRead',
		]);
		// Only first reads tell that.
		reads.recordEnd(1_500, false);
		expect(reads.dueAt(0, 3)).toBe('afterAnotherRead');
	});
});

/** Half of it after a second and a half. */
function tooEarly(reads: FirstReads, readAgainAt: number): void {
	reads.recordEarlyRead(1_500, 0.5, readAgainAt);
}

function twoTooEarly(reads: FirstReads): void {
	tooEarly(reads, 6_000);
	tooEarly(reads, 7_000);
}

test('a job that is not over is read again when its progress says, whatever else is read', () => {
	const job = accepted().job();
	expect(job).toMatchObject({ id: 'j', reachedTasks: 0, kind: 'read' });
	expect(job.recordReading({ kind: 'running', processed: 25 }, 2_000)).toBeUndefined();
	// 25 in two seconds: the other half takes two more, and a twentieth.
	expect(job.dueAt(99)).toBeCloseTo(4_100);
	expect(job).toMatchObject({ reachedTasks: 25, kind: 'readAgain' });
	job.recordReading({ kind: 'running', processed: 25 }, 3_000);
	// Nothing new for a second.
	expect(job.dueAt(99)).toBe(5_000);
});

test('only the first read of a job tells the others that it came too early', () => {
	const { reads, job } = accepted();
	const one = job();
	for (const now of [1_500, 3_000, 5_000])
		one.recordReading({ kind: 'running', processed: 1 }, now);
	// A fiftieth after a second and a half.
	expect(reads.dueAt(0, 0)).toBe(75_000);
	expect(reads.dueAt(0, 1)).toBe(75_000);
});

test('a job whose results lag is read until they are complete or five reads fell short', () => {
	const job = accepted().job();
	const pauses = [1_000, 2_000, 4_000, 8_000];
	for (const pause of pauses) {
		expect(job.recordReading({ kind: 'over', results: [] }, 0)).toBeUndefined();
		expect(job.dueAt(0)).toBe(pause);
	}
	expect(job.recordReading({ kind: 'over', results: [] }, 0)).toEqual([]);
});

test('a read that failed is tried again, and one that did not begins a new count', () => {
	const job = accepted().job().recordFailedRead(7, 60_000);
	expect([job.failedReads, job.kind, job.dueAt(0)]).toEqual([7, 'readAgain', 60_000]);
	job.recordReading({ kind: 'running', processed: 25 }, 2_500);
	expect(job.failedReads).toBe(0);
});
