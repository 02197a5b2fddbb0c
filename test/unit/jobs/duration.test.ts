import { JobDuration } from '../../../nodes/EventPlatform/core/bulk/openJobs';
import { nextReadMs } from '../../../nodes/EventPlatform/core/jobs/waiting';

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

	test('is believed more than the progress of others', () => {
		const duration = new JobDuration();
		duration.finished(1_000, true);
		duration.unfinished(9_000, 0, 50);
		expect(duration.expectedMs).toBe(1_000);
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

	test('takes a tenth of a second at least', () => {
		const duration = new JobDuration();
		duration.finished(1, true);
		expect(duration.expectedMs).toBe(100);
	});
});

/** What reads have shown, like "0:0 3:5": after three seconds five tasks were done. */
test.each<[string, string, number | undefined, number]>([
	['nothing is known', '', undefined, 1],
	['it has been read once', '5:10', undefined, 1],
	['nothing has happened for 3 s', '0:0 3:0', undefined, 6],
	['a tenth is done after a second', '0:0 1:5', 50, 1.05 * 9],
	['half is done after two seconds', '0:0 2:10', 20, 1.05 * 2],
	['40 of the usual fifty are done', '0:0 4:40', undefined, 1.05],
	['all of it is done but it is not over', '0:0 10:10', 10, 1.05],
	['more than all is done', '0:0 10:20', 10, 1.05 * 0.5],
	['it began at twenty', '0:20 4:30', 50, 1.05 * 0.4 * 20],
	['it has stood still for two seconds', '0:0 2:10 4:10', 50, 4],
	['it has stood still for 5 s since it moved', '0:0 2:10 4:10 7:10', 50, 10],
	['it went backwards', '0:10 3:5', 50, 6],
	['it is nearly over', '0:0 1:49', 50, 0.5],
	['it hardly moves', '0:0 10:1', 50, 30],
])('a job is read again when %s', (_, seen, total, seconds) => {
	const reads = (seen.match(/\S+/g) ?? []).map((read) => {
		const [at = 0, processed = 0] = read.split(':').map(Number);
		return { at: at * 1_000, processed };
	});
	expect(nextReadMs(reads, total)).toBeCloseTo(seconds * 1_000);
});
