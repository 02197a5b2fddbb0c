import { JobDuration } from '../../../nodes/EventPlatform/core/jobs/duration';

test('before a job has been read it is a second and a half', () => {
	expect(new JobDuration().expectedMs).toBe(1_500);
});

test('the progress of an unfinished job tells how long the whole takes', () => {
	const duration = new JobDuration();
	duration.unfinished(2_000, 10, 50);
	expect(duration.expectedMs).toBe(10_000);
});

test('without progress it takes at least twice as long as it has taken', () => {
	const duration = new JobDuration();
	duration.unfinished(4_000, 0, 50);
	expect(duration.expectedMs).toBe(8_000);
	duration.unfinished(1_000, 0, 50);
	expect(duration.expectedMs).toBe(8_000);
});

test('a job that its first read finds over says nothing when it is older than expected', () => {
	const duration = new JobDuration();
	for (let job = 0; job < 100; job++) duration.finished(duration.expectedMs + 400, false);
	expect(duration.expectedMs).toBe(1_500);
});

test('one that was read before, or is younger, is believed: the first wholly, others by half', () => {
	const duration = new JobDuration();
	duration.finished(9_000, true);
	expect(duration.expectedMs).toBe(9_000);
	duration.finished(5_000, false);
	expect(duration.expectedMs).toBe(7_000);
	duration.unfinished(60_000, 0, 50);
	expect(duration.expectedMs).toBe(7_000);
});

test('it is never less than a tenth of a second', () => {
	const duration = new JobDuration();
	duration.finished(1, false);
	expect(duration.expectedMs).toBe(100);
});
