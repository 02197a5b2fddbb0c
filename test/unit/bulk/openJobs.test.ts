import { OpenJobs, type OpenJob } from '../../../nodes/EventPlatform/core/bulk/openJobs';
import type { SentJob } from '../../../nodes/EventPlatform/core/bulk/ledger';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/task';

/** Fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;
const results = (count: number): TaskResult[] =>
	Array.from({ length: count }, () => ({ status: 'registered', errors: [] }));

function sent(id: string): SentJob {
	const people = [...Array(50).keys()];
	return {
		id,
		sessionId: 's',
		people,
		status: 'processing',
		processed: 0,
		succeeded: 0,
		failed: 0,
	};
}

/** Jobs that were accepted at 0, under the names j0, j1, … */
function accepted(count: number) {
	const jobs = new OpenJobs();
	for (let index = 0; index < count; index++) jobs.add(sent(`j${index}`), 0);
	const take = (now: number): OpenJob => {
		const job = jobs.take(now);
		if (!job) throw new Error(`No job is due at ${now}`);
		return job;
	};
	return { jobs, take };
}

test('a job is first read when it should be over', () => {
	const { jobs } = accepted(1);
	expect(jobs.dueAt()).toBe(firstGuessMs);
	expect(jobs.take(firstGuessMs - 1)).toBeUndefined();
	expect(jobs.take(firstGuessMs)).toMatchObject({
		id: 'j0',
		tasks: 50,
		processed: 0,
		isOver: false,
	});
	expect(jobs.dueAt()).toBe(Infinity);
	expect(jobs.size).toBe(1);
});

test('two first reads are under way at once, and one more for each that came in time', () => {
	const { jobs, take } = accepted(6);
	const [first, second] = [take(2_000), take(2_000)];
	expect(jobs.take(2_000)).toBeUndefined();
	expect(jobs.dueAt()).toBe(Infinity);
	jobs.found(first, { results: results(50), processed: 50 }, 2_000);
	expect([take(2_000).id, take(2_000).id]).toEqual(['j2', 'j3']);
	expect(jobs.take(2_000)).toBeUndefined();
	jobs.found(second, { results: results(50), processed: 50 }, 2_000);
	expect([take(2_000).id, take(2_000).id]).toEqual(['j4', 'j5']);
});

test('a job that is not over is read again when its progress says', () => {
	const { jobs, take } = accepted(1);
	expect(jobs.found(take(2_000), { processed: 25 }, 2_000)).toBe(false);
	// 25 in two seconds: the other half takes two more, and a twentieth.
	expect(jobs.dueAt()).toBeCloseTo(4_100);
	expect(jobs.take(4_000)).toBeUndefined();
	expect(take(4_200)).toMatchObject({ id: 'j0', processed: 25 });
});

test('after two that were read too early the others wait for the second', () => {
	const { jobs, take } = accepted(3);
	const [first, second] = [take(1_500), take(1_500)];
	jobs.found(first, { processed: 5 }, 1_500);
	jobs.found(second, { processed: 4 }, 1_500);
	// 300 ms for each of the 45 that are left, and a twentieth; 375 ms for each of 46.
	const [firstAt, secondAt] = [1_500 + 1.05 * 300 * 45, 1_500 + 1.05 * 375 * 46];
	expect(jobs.dueAt()).toBeCloseTo(firstAt);
	const again = take(firstAt + 1);
	expect(again.id).toBe('j0');
	expect(jobs.dueAt()).toBeCloseTo(secondAt);
	jobs.found(again, { results: results(50), processed: 50 }, firstAt + 1);
	expect(jobs.take(secondAt - 1)).toBeUndefined();
	expect([take(secondAt + 1).id, take(secondAt + 1).id]).toEqual(['j1', 'j2']);
});

test('one that was read too early may be chance: the others are not held', () => {
	const { jobs, take } = accepted(3);
	jobs.found(take(1_500), { processed: 25 }, 1_500);
	// Half took a second and a half, so the whole takes three.
	expect(jobs.dueAt()).toBe(3_000);
	expect(take(3_000).id).toBe('j1');
});

describe('a read that failed', () => {
	test('is tried again when the platform says, and given up after eight times', () => {
		const { jobs, take } = accepted(1);
		expect(jobs.failed(take(2_000), 2_000, 60_000)).toBe(true);
		expect(jobs.dueAt()).toBe(60_000);
		let failures = 2;
		while (jobs.failed(take(Infinity), 60_000)) failures += 1;
		expect([failures, jobs.size]).toEqual([8, 0]);
	});

	test('counts from the beginning after one that did not', () => {
		const { jobs, take } = accepted(1);
		jobs.failed(take(2_000), 2_000);
		jobs.found(take(2_500), { processed: 25 }, 2_500);
		const now = jobs.dueAt();
		jobs.failed(take(now), now);
		expect(jobs.dueAt() - now).toBe(500);
	});
});

test('jobs that are being read are withdrawn only with all others', () => {
	const { jobs, take } = accepted(3);
	take(2_000);
	jobs.failed(take(2_000), 2_000);
	expect(jobs.size).toBe(3);
	expect(jobs.withdraw('other')).toEqual([]);
	expect(jobs.withdraw().map(({ id }) => id)).toEqual(['j1', 'j2']);
	expect(jobs.size).toBe(1);
	expect([...jobs.open].map(({ id }) => id)).toEqual(['j0']);
});

test('300 jobs are on the platform at most, those being sent included', () => {
	const { jobs } = accepted(290);
	expect(jobs.hasRoom(9)).toBe(true);
	expect(jobs.hasRoom(10)).toBe(false);
});

test('a job whose results lagged is known to be over', () => {
	const { jobs, take } = accepted(1);
	jobs.found(take(2_000), { results: [], processed: 50 }, 2_000);
	expect(take(3_000).isOver).toBe(true);
});
