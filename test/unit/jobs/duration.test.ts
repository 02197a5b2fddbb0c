import { JobDuration } from '../../../nodes/EventPlatform/core/jobs/duration';

test('before anything is known a job takes a second and a half', () => {
	expect(new JobDuration().expectedMs).toBe(1_500);
});

describe('until a job was seen over', () => {
	test.each([
		['what its progress predicts', 1_000, 10, 5_000],
		['twice its age where it has not begun', 2_000, 0, 4_000],
		['not less than expected', 500, 25, 1_500],
	])('it takes %s', (_, ageMs, processed, expected) => {
		const duration = new JobDuration();
		duration.unfinished(ageMs, processed, 50);
		expect(duration.expectedMs).toBe(expected);
	});
});

describe('a job that is over', () => {
	test('takes what the first one took, then halfway to each later one', () => {
		const duration = new JobDuration();
		duration.finished(4_000, true);
		expect(duration.expectedMs).toBe(4_000);
		duration.finished(2_000, false);
		expect(duration.expectedMs).toBe(3_000);
		duration.finished(5_000, true);
		expect(duration.expectedMs).toBe(4_000);
	});

	test('tells nothing when its first read came late', () => {
		const duration = new JobDuration();
		duration.finished(9_000, false);
		expect(duration.expectedMs).toBe(1_500);
		duration.finished(1_500, false);
		expect(duration.expectedMs).toBe(1_500);
		duration.finished(1_400, false);
		expect(duration.expectedMs).toBe(1_450);
	});

	test('is believed more than the progress of others', () => {
		const duration = new JobDuration();
		duration.finished(1_000, true);
		duration.unfinished(9_000, 0, 50);
		expect(duration.expectedMs).toBe(1_000);
	});

	test('takes a tenth of a second at least', () => {
		const duration = new JobDuration();
		duration.finished(1, true);
		expect(duration.expectedMs).toBe(100);
	});
});
