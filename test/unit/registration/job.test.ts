import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { FirstReads } from '../../../nodes/EventPlatform/core/jobs/whenRead';
import { JobReader } from '../../../nodes/EventPlatform/core/registration/job';
import { TaskReader } from '../../../nodes/EventPlatform/core/jobs/jobRequests';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { acceptedJob, someRows } from '../../support/runs/simulation';
import { runAgainst } from './bulkRun';

const done: JsonObject = { status: 'succeeded' };
const open: JsonObject = { status: 'processing' };

describe('a read of a job', () => {
	const [tasks, state] = ['/jobs/j1/tasks', '/jobs/j1'];

	/** A job of three people, and a platform with these rows, or this failure, at each read of the results, and this status. */
	function scene(reads: Array<JsonObject[] | Cause>, attributes: JsonObject = {}) {
		let nth = 0;
		let nowMs = 0;
		const { ask, asked } = fakePlatform(({ path }) => {
			if (!path.endsWith('/tasks')) return { id: 'j1', attributes };
			const rows = reads[Math.min(nth++, reads.length - 1)] ?? [];
			return typeof rows === 'string' ? rows : { data: rows };
		});
		const people = planRun(someRows(3, 's')).candidates;
		const firstReads = new FirstReads();
		const started = () => {
			const accepted = acceptedJob('j1');
			const job = {
				sessionId: 's',
				people,
				id: 'j1',
				accepted,
				acceptedAt: 0,
				status: 'processing',
			};
			const clock = { now: () => nowMs };
			return new JobReader(job, { ask, clock, tasks: new TaskReader(), firstReads });
		};
		const read = (reader: JobReader, atMs = 1_000) => {
			nowMs = atMs;
			return reader.read();
		};
		return { asked, paths: () => asked.map(({ path }) => path), started, read, firstReads };
	}

	test('that shows a result for each person is the only one, and the client does not repeat it', async () => {
		const { asked, started, read } = scene([[done, done, done]]);
		const reader = started();
		expect(await read(reader)).toBe(true);
		expect(reader.results).toHaveLength(3);
		expect(asked).toMatchObject([{ path: tasks, retry: 'onlyWhenRefused' }]);
	});

	test('that shows progress comes again after as long as the job has taken, and a second', async () => {
		const { paths, started, read } = scene([[done, open]]);
		const reader = started();
		expect(await read(reader, 2_000)).toBe(false);
		expect([reader.dueAt(0), ...paths()]).toEqual([5_000, tasks]);
	});

	test('without progress asks for the state, and for the results once more where that says the end', async () => {
		const { paths, started, read } = scene([[], [done, done, done]], { status: 'ended' });
		const reader = started();
		expect(await read(reader)).toBe(true);
		expect(reader.results).toHaveLength(3);
		expect(paths()).toEqual([tasks, state, tasks]);
	});

	test.each<Array<JsonObject[] | Cause>>([['refused'], [[]]])(
		'of hidden results asks for the state first as long as jobs are read too early: %j',
		async (hidden) => {
			const { paths, started, read, firstReads } = scene([hidden], {
				status: 'processing',
				total_processed_items: 1,
			});
			await read(started());
			await read(started());
			expect(paths()).toEqual([tasks, state, state]);
			firstReads.recordEnd(500, true);
			await read(started());
			expect(paths().slice(3)).toEqual([tasks, state]);
		},
	);

	test('whose results lag behind the end is repeated four times', async () => {
		const { started, read } = scene([[], [done]], { status: 'ended' });
		const reader = started();
		for (const pause of [1_000, 2_000, 4_000, 8_000]) {
			expect(await read(reader, 0)).toBe(false);
			expect(reader.dueAt(0)).toBe(pause);
		}
		expect(await read(reader, 0)).toBe(true);
		expect(reader.results).toHaveLength(1);
	});

	test('asks for the counts where a failure stands twice behind itself', async () => {
		const bad = { status: 'failed', errors: [{ code: 'banned' }] };
		const { paths, started, read } = scene([[done, bad, bad]]);
		await read(started());
		expect(paths()).toEqual([tasks, state]);
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
	])('with "%s" each time leaves its people unknown, and ends: %j', async (cause, stop, reads) => {
		const { report, became, asked } = await failed(cause);
		expect(report.stop?.code).toBe(stop);
		expect(asked.filter(({ path }) => path.startsWith('/jobs/j-a'))).toHaveLength(reads);
		expect(became('a')).toBe(`unknown ${cause} j-a`);
		if (!stop) expect(became('b')).toBe('registered j-b');
	});
});
