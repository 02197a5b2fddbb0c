import type { Readable } from '../../../nodes/EventPlatform/core/bulk/openJobs';
import { readJob } from '../../../nodes/EventPlatform/core/bulk/requests';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { TaskReader } from '../../../nodes/EventPlatform/core/jobs/tasks';
import { runState } from '../../support/runState';
import { candidates } from '../../support/simulation';

const done: JsonObject = { status: 'succeeded' };
const open: JsonObject = { status: 'processing' };
const job: Readable = { id: 'j1', tasks: 3, processed: 0, isOver: false };

/** A platform with these rows, or this failure, at each read of the results, and this status. */
function platform(reads: Array<JsonObject[] | Cause>, attributes: JsonObject = {}) {
	const asked: string[] = [];
	let nth = 0;
	const ask = (request: ApiRequest) => {
		const { path } = request;
		asked.push(path);
		if (!path.endsWith('/tasks')) {
			return Promise.resolve({ status: 200, headers: {}, body: { id: 'j1', attributes } });
		}
		const rows = reads[Math.min(nth++, reads.length - 1)] ?? [];
		if (typeof rows === 'string') return Promise.reject(new Failure(rows, request));
		return Promise.resolve({ status: 200, headers: {}, body: { data: rows } });
	};
	return {
		asked,
		read: (change: Partial<Readable> = {}, reader = new TaskReader()) =>
			readJob({ ...job, ...change }, ask, reader),
	};
}

const tasks = '/jobs/j1/tasks';
const good = { status: 'registered', errors: [] };

test('all results prove that the job is over, in one request', async () => {
	const { asked, read } = platform([[done, done, done]]);
	expect(await read()).toEqual({ results: [good, good, good], processed: 3 });
	expect(asked).toEqual([tasks]);
});

test('more results than before are progress enough', async () => {
	const { asked, read } = platform([[done, open, done]]);
	expect(await read({ processed: 1 })).toEqual({ processed: 2 });
	expect(asked).toEqual([tasks]);
});

test('without progress the status is asked for', async () => {
	const attributes = { status: 'processing', total_processed_items: 2 };
	const { asked, read } = platform([[done]], attributes);
	const found = await read({ processed: 1 });
	expect(found).toMatchObject({ processed: 2, state: { status: 'processing' } });
	expect(found.results).toBeUndefined();
	expect(asked).toEqual([tasks, '/jobs/j1']);
});

test('where results come in many pages the status is asked for first', async () => {
	const { asked, read } = platform([[done]], { status: 'processing' });
	const reader = Object.assign(new TaskReader(), { hasSmallPages: true });
	expect(await read({}, reader)).toMatchObject({ processed: 0, state: { isFinal: false } });
	expect(asked).toEqual(['/jobs/j1']);
});

test('a job that has ended meanwhile is read again', async () => {
	const { asked, read } = platform([[], [done, done, done]], { status: 'ended' });
	expect(await read()).toMatchObject({
		...{ results: [good, good, good], processed: 3 },
		state: { status: 'ended', isFinal: true },
	});
	expect(asked).toEqual([tasks, '/jobs/j1', tasks]);
});

describe('results that are hidden until the end', () => {
	test.each(['not_found', 'page_out_of_range'] as const)('with %s are none', async (cause) => {
		const { asked, read } = platform([cause], { status: 'processing' });
		expect(await read()).toMatchObject({ processed: 0, state: { isFinal: false } });
		expect(asked).toEqual([tasks, '/jobs/j1']);
	});

	test('and after it are a failure', async () => {
		await expect(platform(['not_found']).read({ isOver: true })).rejects.toThrow('not_found');
		const ended = platform(['not_found'], { status: 'ended' });
		await expect(ended.read()).rejects.toThrow('not_found');
	});
});

describe('a read that fails', () => {
	const good = {
		status: 200,
		headers: {},
		body: { id: 'j9', attributes: { status: 'processing' } },
	};

	/** One job of each of two sessions, of which the first is read with this result. */
	async function failed(...causes: Cause[]) {
		const people = [...candidates(2, 'a'), ...candidates(2, 'b')];
		const { run, clock } = runState(people, (request) => {
			const cause = causes.shift();
			return cause ? Promise.reject(new Failure(cause, request)) : Promise.resolve(good);
		});
		for (const { sessionId, people } of run.toSend.withdraw()) {
			run.jobs.add(run.outcomes.accepted(`j-${sessionId}`, sessionId, people), clock.now());
		}
		while (causes.length > 0) {
			const job = run.jobs.take(clock.now());
			if (job) await run.collect(job);
			else await clock.run(clock.sleep(Math.min(60_000, run.jobs.dueAt() - clock.now())));
		}
		const outcomes = run.outcomes.all().map(({ jobId, errors: [why] }) => [jobId, why?.code]);
		return { run, outcomes };
	}
	const notAwaited = [undefined, 'not_awaited'];

	test.each<Cause>(['platform_error', 'unreachable', 'not_found', 'refused'])(
		'with "%s" is tried again, and stops nothing',
		async (cause) => {
			const { run, outcomes } = await failed(cause);
			expect(run.jobs.size).toBe(2);
			expect(run.isReading).toBe(true);
			expect(outcomes).toEqual([notAwaited, notAwaited, notAwaited, notAwaited]);
		},
	);

	test('with what holds for the session leaves the other one', async () => {
		const { run, outcomes } = await failed('forbidden');
		expect([run.jobs.size, run.isReading]).toEqual([1, true]);
		const known = ['j-a', 'forbidden'];
		expect(outcomes).toEqual([known, known, notAwaited, notAwaited]);
	});

	test('with what holds for all ends the reading', async () => {
		const { run, outcomes } = await failed('unauthorized');
		expect(run.jobs.size).toBe(0);
		expect(run.isReading).toBe(false);
		expect(run.stopped?.code).toBe('unauthorized');
		const [a, b] = ['a', 'b'].map((session) => [`j-${session}`, 'unauthorized']);
		expect(outcomes).toEqual([a, a, b, b]);
	});
});
