import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import { acceptedJob, someRows } from '../../support/runs/simulation';
import {
	Job,
	JobReader,
	type JobReading,
} from '../../../nodes/EventPlatform/core/registration/job';
import { FirstReads } from '../../../nodes/EventPlatform/core/registration/pace';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { collectingView } from '../../../nodes/EventPlatform/core/records/recordView';
import { TaskReader } from '../../../nodes/EventPlatform/core/registration/jobRequests';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { runAgainst } from './bulkRun';

describe('what a job knows', () => {
	const all: TaskResult[] = Array.from({ length: 50 }, () => ({
		status: 'registered',
		reasons: [],
	}));

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
		expect(job.stateWhenOver).toBeUndefined();
		const final = { ...state, status: 'failed', isFinal: true };
		job.recordReading({ kind: 'over', results: all, state: final }, 3_000);
		expect(job).toMatchObject({ status: 'failed', stateWhenOver: final });
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
});

describe('a read of a job', () => {
	const done: JsonObject = { status: 'succeeded' };
	const open: JsonObject = { status: 'processing' };

	function accepted(reached = 0): Job {
		const job = new Job(
			acceptedJob('j1'),
			{ sessionId: 's', people: planRun(someRows(3, 's')).candidates },
			0,
			new FirstReads(),
		);
		if (reached > 0) job.recordReading({ kind: 'running', processed: reached }, 0);
		return job;
	}

	/** A platform with these rows, or this failure, at each read of the results, and this status. */
	function platform(reads: Array<JsonObject[] | Cause>, attributes: JsonObject = {}) {
		let nth = 0;
		const { ask, asked } = fakePlatform(({ path }) => {
			if (!path.endsWith('/tasks')) return { id: 'j1', attributes };
			const rows = reads[Math.min(nth++, reads.length - 1)] ?? [];
			return typeof rows === 'string' ? rows : { data: rows };
		});
		return {
			paths: () => asked.map(({ path }) => path),
			retries: () => asked.map(({ retry }) => retry),
			read: (job = accepted(), reader = jobReader()) => reader.read(job, ask),
		};
	}

	function jobReader(): JobReader {
		return new JobReader(new TaskReader(), collectingView());
	}

	/** Lets the job take in what a read of a job under way has shown. */
	async function record(reading: ReturnType<JobReader['read']>, job: Job): Promise<void> {
		const result = await reading;
		if (result.kind !== 'unread') job.recordReading(result, 1_000);
	}

	const tasks = '/jobs/j1/tasks';
	const running = (processed: number): JobReading => ({ kind: 'running', processed });
	const good = { status: 'registered', reasons: [] };

	test('more results than before are progress enough', async () => {
		const { paths, read } = platform([[done, open, done]]);
		expect(await read(accepted(1))).toEqual(running(2));
		expect(paths()).toEqual([tasks]);
	});

	test('the client repeats none of the reads, because the run does', async () => {
		const { read, retries } = platform([[done], [done, done, done]], { status: 'ended' });
		const reader = jobReader();
		const job = accepted(1);
		const reading = await read(job, reader);
		if (reading.kind === 'unread') job.recordState(reading.state);
		await read(job, reader);
		expect(retries()).toEqual(Array(3).fill('onlyWhenRefused'));
	});

	test('as many results as people show that the job is over', async () => {
		const { paths, read } = platform([[done, done, done]]);
		expect(await read()).toEqual({ kind: 'over', results: [good, good, good] });
		expect(paths()).toEqual([tasks]);
	});

	test('without progress the status is asked for', async () => {
		const attributes = { status: 'processing', total_processed_items: 2 };
		const { paths, read } = platform([[done]], attributes);
		const job = accepted(1);
		const reading = await read(job);
		expect(reading).toMatchObject({ ...running(2), state: { id: 'j1', processed: 2 } });
		// A reading changes nothing of the job: whoever asked for it records it.
		expect(job).toMatchObject({ processed: 0, reachedTasks: 1 });
		expect(paths()).toEqual([tasks, '/jobs/j1']);
	});

	test('where results come in many pages the status is asked for first', async () => {
		const { paths, read } = platform([[done]], { status: 'processing' });
		const tasksInPages = Object.assign(new TaskReader(), { hasSmallPages: true });
		const reader = new JobReader(tasksInPages, collectingView());
		expect(await read(accepted(2), reader)).toMatchObject(running(2));
		expect(paths()).toEqual(['/jobs/j1']);
	});

	test('a job that has ended meanwhile is told to be over, and only its results are read then', async () => {
		const { paths, read } = platform([[], [done, done, done]], { status: 'ended' });
		const job = accepted();
		const reading = await read(job);
		expect(reading).toMatchObject({ kind: 'unread', state: { status: 'ended', isFinal: true } });
		if (reading.kind === 'unread') job.recordState(reading.state);
		// The job is known to be over from now on.
		expect(await read(job)).toEqual({ kind: 'over', results: [good, good, good] });
		expect(paths()).toEqual([tasks, '/jobs/j1', tasks]);
	});

	describe('results that are hidden until the end', () => {
		test('and refused are none', async () => {
			const { paths, read } = platform(['refused'], { status: 'processing' });
			expect(await read()).toMatchObject(running(0));
			expect(paths()).toEqual([tasks, '/jobs/j1']);
		});

		test('and come as no list are none', async () => {
			const { ask, asked } = fakePlatform(({ path }) => {
				return path === tasks ? { data: null } : { id: 'j1', attributes: { status: 'processing' } };
			});
			expect(await jobReader().read(accepted(), ask)).toMatchObject(running(0));
			expect(asked).toHaveLength(2);
		});

		test('are not meant by another failure, so the status is not asked for', async () => {
			const { paths, read } = platform(['platform_error'], { status: 'processing' });
			await expect(read()).rejects.toThrow('platform_error');
			expect(paths()).not.toContain('/jobs/j1');
		});

		test('and refused after it are a failure', async () => {
			const { read } = platform(['not_found'], { status: 'ended' });
			const job = accepted();
			const reading = await read(job);
			if (reading.kind === 'unread') job.recordState(reading.state);
			await expect(read(job)).rejects.toThrow('not_found');
			await expect(read(job)).rejects.toThrow('not_found');
		});

		test.each<[string, Array<JsonObject[] | Cause>, JsonObject]>([
			['were refused', ['refused'], { status: 'processing' }],
			['did not show the progress', [[]], { status: 'processing', total_processed_items: 1 }],
		])(
			'and %s are not asked for again until a job is over in time',
			async (_, reads, attributes) => {
				const { paths, read } = platform(reads, attributes);
				const firstReads = new FirstReads();
				const job = () =>
					new Job(
						acceptedJob('j1'),
						{ sessionId: 's', people: planRun(someRows(3, 's')).candidates },
						0,
						firstReads,
					);
				const reader = jobReader();
				const first = job();
				await record(read(first, reader), first);
				await read(job(), reader);
				expect(paths()).toEqual([tasks, '/jobs/j1', '/jobs/j1']);
				// A job ended before it was read, so others may be over, too.
				firstReads.recordEnd(500, true);
				await read(job(), reader);
				expect(paths().slice(3)).toEqual([tasks, '/jobs/j1']);
			},
		);

		test('and are none because nothing is done yet are asked for again', async () => {
			const { paths, read } = platform([[]], { status: 'processing', total_processed_items: 0 });
			const reader = jobReader();
			const job = accepted();
			await record(read(job, reader), job);
			await read(job, reader);
			expect(paths()).toEqual([tasks, '/jobs/j1', tasks, '/jobs/j1']);
		});
	});

	describe('a read that fails', () => {
		const job = (id: string) => {
			return { status: 202, headers: {}, body: { id, attributes: { status: 'processing' } } };
		};
		const results = { status: 200, headers: {}, body: { data: [done, done] } };

		/** Two people in each of two sessions; the reads of the first job fail for this reason. */
		async function failed(cause: Cause, times = Infinity) {
			let left = times;
			return await runAgainst([...someRows(2, 'a'), ...someRows(2, 'b')], (request) => {
				const [, collection, id = ''] = request.path.split('/');
				if (collection === 'sessions') return job(`j-${id}`);
				return id === 'j-a' && left-- > 0 ? new Failure(cause, request) : results;
			});
		}

		test.each<Cause>(['platform_error', 'unreachable', 'not_found', 'refused'])(
			'with "%s" is tried again, and stops nothing',
			async (cause) => {
				const { report, became } = await failed(cause, 3);
				expect([report.stop, became('a'), became('b')]).toEqual([
					undefined,
					'registered j-a',
					'registered j-b',
				]);
			},
		);

		test.each<[Cause, string | undefined, number]>([
			// Results and status, eight times.
			['not_found', undefined, 16],
			['forbidden', undefined, 1],
			['unauthorized', 'unauthorized', 1],
		])(
			'with "%s" each time leaves its people unknown, and ends: %j',
			async (cause, stop, reads) => {
				const { report, became, asked } = await failed(cause);
				expect(report.stop?.code).toBe(stop);
				expect(asked.filter(({ path }) => path.startsWith('/jobs/j-a'))).toHaveLength(reads);
				expect(became('a')).toBe(`unknown ${cause} j-a`);
				if (!stop) expect(became('b')).toBe('registered j-b');
			},
		);
	});
});
