import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import { acceptedJob, someRows } from '../../support/runs/simulation';
import { Job } from '../../../nodes/EventPlatform/core/registration/job';
import { FirstReads } from '../../../nodes/EventPlatform/core/registration/pace';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';

const all: TaskResult[] = Array.from({ length: 50 }, () => ({ status: 'registered', reasons: [] }));

/** Jobs of fifty people that were accepted at 0. */
function accepted(reads = new FirstReads()) {
	const sent = { sessionId: 's', people: planRun(someRows(50, 's')).candidates };
	return { reads, job: () => new Job(acceptedJob('j'), sent, 0, reads) };
}

test('a job that is not over is read again after as long as it has taken so far and a second, whatever else is read', () => {
	const job = accepted().job();
	expect(job).toMatchObject({ id: 'j', reachedTasks: 0, kind: 'read' });
	expect(job.recordReading({ kind: 'running', processed: 25 }, 2_000)).toBeUndefined();
	expect(job.dueAt(99)).toBe(5_000);
	expect(job).toMatchObject({ reachedTasks: 25, kind: 'readAgain' });
	job.recordReading({ kind: 'running', processed: 25 }, 60_000);
	// Half a minute at most.
	expect(job.dueAt(99)).toBe(90_000);
});

test('what the platform says of the whole job is taken in with the reading', () => {
	const job = accepted().job();
	const state = {
		id: 'j',
		status: 'odd',
		isFinal: false,
		total: 50,
		processed: 25,
		succeeded: 24,
		failed: 1,
	};
	job.recordReading({ kind: 'running', processed: 25, state }, 2_000);
	expect(job).toMatchObject({ status: 'processing', processed: 25, succeeded: 24, failed: 1 });
	expect(job.final).toBeUndefined();
	const final = { ...state, status: 'failed', isFinal: true };
	job.recordReading({ kind: 'over', results: all, state: final }, 3_000);
	expect(job).toMatchObject({ status: 'failed', final });
});

test('only the first read of a job tells the others that it came too early', () => {
	const { reads, job } = accepted();
	const early = job();
	for (const now of [1_500, 3_000, 5_000])
		early.recordReading({ kind: 'running', processed: 1 }, now);
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

test('a job that was over when it was first read lets one more be read at once', () => {
	const { reads, job } = accepted();
	expect(reads.dueAt(0, 2)).toBe('afterAnotherRead');
	expect(job().recordReading({ kind: 'over', results: all }, 2_000)).toBe(all);
	expect(reads.dueAt(0, 2)).toBe(1_500);
});
