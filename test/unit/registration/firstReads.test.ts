import { FirstReads } from '../../../nodes/EventPlatform/core/registration/pace';

/** Fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/** Half of a job was processed when it was first read after a second and a half. */
const readTooEarly = (reads: FirstReads, readAgainAt: number) =>
	reads.recordEarlyRead(1_500, 0.5, readAgainAt);

function after(happen: (reads: FirstReads) => void, reads = new FirstReads()): FirstReads {
	happen(reads);
	return reads;
}

describe('a job that was accepted at 0 is first read', () => {
	test.each<[string, number, (reads: FirstReads) => void]>([
		['after a guess', firstGuessMs, () => {}],
		[
			'when the progress of another predicts',
			5_000,
			(reads) => reads.recordEarlyRead(1_000, 0.2, 0),
		],
		[
			'by the slowest progress of several',
			5_000,
			(reads) => [0.2, 0.5].forEach((share) => reads.recordEarlyRead(1_000, share, 0)),
		],
		['no earlier by progress', firstGuessMs, (reads) => reads.recordEarlyRead(100, 0.5, 0)],
		[
			'after twice the age of a job not begun',
			4_000,
			(reads) => reads.recordEarlyRead(2_000, 0, 0),
		],
		['after what the first has taken', 4_000, (reads) => reads.recordEnd(4_000, false)],
		[
			'after the mean of that and of what the next has taken',
			3_000,
			(reads) => [4_000, 2_000].forEach((ms) => reads.recordEnd(ms, false)),
		],
		[
			'later where a job that was read before has taken longer',
			5_000,
			(reads) => [4_000, 6_000].forEach((ms) => reads.recordEnd(ms, false)),
		],
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
		[
			'no later where a first read came late',
			firstGuessMs,
			(reads) => [firstGuessMs, 9_000].forEach((ms) => reads.recordEnd(ms, true)),
		],
		[
			'when the second of two that came too early is read again',
			7_000,
			(reads) => [6_000, 7_000].forEach((at) => readTooEarly(reads, at)),
		],
		[
			'as if a single read that came too early were chance',
			3_000,
			(reads) => readTooEarly(reads, 6_000),
		],
		[
			'as if it were chance where another came in time since',
			3_000,
			(reads) => {
				readTooEarly(reads, 6_000);
				reads.recordEnd(3_000, true);
				readTooEarly(reads, 7_000);
			},
		],
	])('%s: %j', (_, at, happen) => {
		expect(after(happen).dueAt(0, 0)).toBe(at);
	});

	test('so long after it was accepted, whenever that was', () => {
		expect(new FirstReads().dueAt(10_000, 0)).toBe(11_500);
	});
});

describe('as many first reads are under way at once', () => {
	/** The most reads under way beside which another may leave. */
	const mostOf = (reads: FirstReads) => {
		let reading = 0;
		while (reads.dueAt(0, reading) !== 'afterAnotherRead' && reading < 100) reading += 1;
		return reading;
	};

	test.each<[string, number, (reads: FirstReads) => void]>([
		['as two, in case one gets no response', 2, () => {}],
		[
			'as two and one for each that came in time',
			4,
			(reads) => {
				for (const ms of [1_500, 1_500]) reads.recordEnd(ms, true);
			},
		],
		[
			'as two after one too early, however many were in time',
			2,
			(reads) => {
				for (const ms of [1_500, 1_500]) reads.recordEnd(ms, true);
				readTooEarly(reads, 0);
			},
		],
		[
			'as three after one in time, however many were too early',
			3,
			(reads) => {
				for (const at of [0, 0, 0]) readTooEarly(reads, at);
				reads.recordEnd(1_500, true);
			},
		],
		['as two after a job that was read before', 2, (reads) => reads.recordEnd(1_500, false)],
	])('%s', (_, most, happen) => {
		expect(mostOf(after(happen))).toBe(most);
	});
});

describe('the next job is probably under way, too,', () => {
	test.each<[string, boolean, (reads: FirstReads) => void]>([
		['where nothing was read', false, () => {}],
		['where the last first read came too early', true, (reads) => readTooEarly(reads, 0)],
		[
			'where it came in time',
			false,
			(reads) => {
				readTooEarly(reads, 0);
				reads.recordEnd(1_500, true);
			},
		],
		[
			'where a job that was read before is over',
			true,
			(reads) => {
				readTooEarly(reads, 0);
				reads.recordEnd(1_500, false);
			},
		],
	])('%s: %j', (_, isTooEarly, happen) => {
		expect(after(happen).isTooEarly).toBe(isTooEarly);
	});
});
