import { askForJob, type Readable } from '../../../nodes/EventPlatform/core/bulk/job';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/json';
import { TaskReader } from '../../../nodes/EventPlatform/core/jobs/task';
import { asking } from '../../support/asking';
import { runAgainst } from '../../support/bulkRun';
import { candidates } from '../../support/simulation';

const done: JsonObject = { status: 'succeeded' };
const open: JsonObject = { status: 'processing' };
const job: Readable = { id: 'j1', people: [0, 1, 2], reached: 0, isOver: false };

/** A platform with these rows, or this failure, at each read of the results, and this status. */
function platform(reads: Array<JsonObject[] | Cause>, attributes: JsonObject = {}) {
	let nth = 0;
	const { ask, asked } = asking(({ path }) => {
		if (!path.endsWith('/tasks')) return { id: 'j1', attributes };
		const rows = reads[Math.min(nth++, reads.length - 1)] ?? [];
		return typeof rows === 'string' ? rows : { data: rows };
	});
	return {
		paths: () => asked.map(({ path }) => path),
		read: (change: Partial<Readable> = {}, reader = new TaskReader()) =>
			askForJob({ ...job, ...change }, ask, reader),
	};
}

const tasks = '/jobs/j1/tasks';
const good = { status: 'registered', errors: [] };

test('more results than before are progress enough', async () => {
	const { paths, read } = platform([[done, open, done]]);
	expect(await read({ reached: 1 })).toEqual({ processed: 2 });
	expect(paths()).toEqual([tasks]);
});

test('without progress the status is asked for', async () => {
	const attributes = { status: 'processing', total_processed_items: 2 };
	const { paths, read } = platform([[done]], attributes);
	const found = await read({ reached: 1 });
	expect(found).toMatchObject({ processed: 2, state: { status: 'processing' } });
	expect(found.results).toBeUndefined();
	expect(paths()).toEqual([tasks, '/jobs/j1']);
});

test('where results come in many pages the status is asked for first', async () => {
	const { paths, read } = platform([[done]], { status: 'processing' });
	const reader = Object.assign(new TaskReader(), { hasSmallPages: true });
	expect(await read({}, reader)).toMatchObject({ processed: 0, state: { isFinal: false } });
	expect(paths()).toEqual(['/jobs/j1']);
});

test('a job that has ended meanwhile is read again', async () => {
	const { paths, read } = platform([[], [done, done, done]], { status: 'ended' });
	expect(await read()).toMatchObject({
		results: [good, good, good],
		state: { status: 'ended', isFinal: true },
	});
	expect(paths()).toEqual([tasks, '/jobs/j1', tasks]);
});

describe('results that are hidden until the end', () => {
	test.each(['not_found', 'page_out_of_range'] as const)('with %s are none', async (cause) => {
		const { paths, read } = platform([cause], { status: 'processing' });
		expect(await read()).toMatchObject({ processed: 0, state: { isFinal: false } });
		expect(paths()).toEqual([tasks, '/jobs/j1']);
	});

	test('and after it are a failure', async () => {
		await expect(platform(['not_found']).read({ isOver: true })).rejects.toThrow('not_found');
		const ended = platform(['not_found'], { status: 'ended' });
		await expect(ended.read()).rejects.toThrow('not_found');
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
		return await runAgainst([...candidates(2, 'a'), ...candidates(2, 'b')], (request) => {
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
				...[undefined, 'registered j-a', 'registered j-b'],
			]);
		},
	);

	test.each<[Cause, string | undefined]>([
		['not_found', undefined],
		['forbidden', undefined],
		['unauthorized', 'unauthorized'],
	])('with "%s" each time leaves its people unknown, and ends the run: %j', async (cause, stop) => {
		const { report, became } = await failed(cause);
		expect(report.stop?.code).toBe(stop);
		expect(became('a')).toBe(`unknown ${cause} j-a`);
		if (!stop) expect(became('b')).toBe('registered j-b');
	});
});
