import {
	submit,
	jobRecord,
	readJobState,
	TaskReader,
	waitForJob,
} from '../../../nodes/EventPlatform/core/jobs/jobRequests';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { someRows, modelScene, type Circumstances } from '../../support/runs/simulation';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { asTask } from '../../../nodes/EventPlatform/core/people/registration';
import { VirtualClock } from '../../support/time/virtualClock';

describe('people who are sent', () => {
	const request = { method: 'POST', path: '/sessions/s%201/people/bulk' } as const;
	const tracking = { referrer: 'https://example.com', utm_source: 'newsletter' };
	const registrations = someRows(3).map(({ registration }) => ({ ...registration, tracking }));

	test('people are sent as tasks, in their order', async () => {
		const asked: ApiRequest[] = [];
		const tasks = ['p0@example.com', 'p1@example.com', 'p2@example.com'].map((value) => ({
			fields: [{ id: 'email', value }],
			...tracking,
		}));
		const submitted = await submit('s 1', registrations, false, (sent) => {
			asked.push(sent);
			return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1', attributes: {} } });
		});
		expect(submitted).toMatchObject({ id: 'j1' });
		const body = { data: { type: 'jobs', attributes: { tasks } } };
		expect(asked).toEqual([{ ...request, body, contentType: 'application/vnd.api+json' }]);
	});

	test('an answer without a job leaves open what the platform does', async () => {
		const answer = { status: 202, headers: {}, body: 'ok' };
		await expect(
			submit('s 1', registrations, false, () => Promise.resolve(answer)),
		).rejects.toMatchObject({
			cause: 'unexpected_shape',
			status: 202,
			request,
		});
	});

	test('a value is sent whole, however long it is', async () => {
		const fields = [{ id: 'about', value: 'x'.repeat(100_000) }];
		const long = [{ fields, tracking: {} }];
		let sent: unknown;
		await submit('s', long, false, ({ body }) => {
			sent = body;
			return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1' } });
		});
		expect(sent).toEqual({ data: { type: 'jobs', attributes: { tasks: [{ fields }] } } });
	});
});

describe('the state of a job', () => {
	test('the state of a job is asked for by its ID, and read whatever its counters are called', async () => {
		const job = { id: 'j1', status: 'processing', total_tasks: 5, total_processed_tasks: 2 };
		const { ask, asked } = fakePlatform(() => ({ data: job }));
		expect(await readJobState(ask, 'j1', 'never')).toMatchObject({ total: 5, processed: 2 });
		expect(asked).toEqual([{ method: 'GET', path: '/jobs/j1', retry: 'never' }]);
	});

	test('a response that is no job is a failure', async () => {
		const { ask } = fakePlatform(() => ({ ok: true }));
		await expect(readJobState(ask, 'j1')).rejects.toMatchObject({ cause: 'unexpected_shape' });
	});

	test('the record of a job has the names of the specification, and null where nothing is told', () => {
		expect(
			jobRecord({ id: 'j1', status: 'ended', total: 3, processed: 3, succeeded: 2, failed: 1 }),
		).toEqual({
			id: 'j1',
			status: 'ended',
			total_items: 3,
			total_processed_items: 3,
			total_success: 2,
			total_fail: 1,
		});
		expect(jobRecord({ id: 'j1', status: 'processing' })).toMatchObject({
			total_items: null,
			total_processed_items: null,
			total_success: null,
			total_fail: null,
		});
	});
});

describe('the results of a job', () => {
	const task = (index: number): JsonObject => ({ status: 'succeeded', data: { id: `p${index}` } });
	const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(index));

	/** A platform that answers 500 to page parameters as often as `breaks` says. */
	function platform({ breaks = 0, count = 30, tellsPages = true } = {}) {
		let left = breaks;
		return fakePlatform(({ query }) => {
			const number = query?.['page[number]'];
			if (number !== undefined && left-- > 0) return 'platform_error';
			const size = Number(query?.['page[size]'] ?? (tellsPages ? 20 : count));
			const { data, meta } = pageOf(tasks(count), query, size);
			return { data, ...(tellsPages && { meta }) };
		});
	}

	const withPages = ({ query }: ApiRequest) => query !== undefined;

	test('a platform that knows pages is asked for them, and only a 429 is repeated below', async () => {
		const { ask, asked } = platform({ count: 70 });
		expect(await new TaskReader(ask).read('j 1')).toEqual(tasks(70));
		expect(asked.map(({ path, retry }) => [path, retry])).toEqual([
			['/jobs/j%201/tasks', 'onlyWhenRateLimited'],
			['/jobs/j%201/tasks', 'onlyWhenRateLimited'],
		]);
		expect(asked.every(withPages)).toBe(true);
	});

	test('where page parameters break it, it is asked without them, and for the next job at once', async () => {
		const { ask, asked } = platform({ breaks: Infinity, tellsPages: false });
		const reader = new TaskReader(ask);
		expect(await reader.read('j1')).toEqual(tasks(30));
		expect(asked.map(withPages)).toEqual([true, false]);
		expect(asked[1]).toEqual({ method: 'GET', path: '/jobs/j1/tasks' });
		await reader.read('j2');
		expect(asked.map(withPages)).toEqual([true, false, false]);
	});

	test('the first of several pages shows that it was another failure', async () => {
		const { ask, asked } = platform({ breaks: 1 });
		const reader = new TaskReader(ask);
		expect(await reader.read('j1')).toEqual(tasks(30));
		expect(asked.map(withPages)).toEqual([true, false, true]);
		await reader.read('j2');
		expect(asked.map(withPages)).toEqual([true, false, true, true]);
	});

	test('a caller that repeats a read alone is obeyed, with page parameters and without', async () => {
		const retry = 'onlyWhenRateLimited';
		const paged = platform({ count: 1 });
		const reader = new TaskReader(paged.ask, retry);
		for (const job of ['j1', 'j2']) await reader.read(job);
		const unpaged = platform({ breaks: Infinity, tellsPages: false });
		await new TaskReader(unpaged.ask, retry).read('j3');
		const retries = [...paged.asked, ...unpaged.asked].map((request) => request.retry);
		expect(retries).toEqual(Array(4).fill(retry));
	});

	describe('a job that is not over may respond', () => {
		/** Reads the results of a job early from a platform that responds so, and does not bear page parameters. */
		const readEarly = async (cause: Cause, status?: number) => {
			const ask = (request: ApiRequest) =>
				Promise.reject(new Failure(request.query ? 'platform_error' : cause, request, { status }));
			const read = await new TaskReader(ask).readEarly('j1').catch((error: unknown) => [error]);
			return read instanceof Failure ? 'not yet' : 'failed';
		};

		test.each([
			[199, 'failed'],
			[200, 'not yet'],
			[299, 'not yet'],
			[300, 'failed'],
		])('with %i and no list: %s', async (status, expected) => {
			expect(await readEarly('unexpected_shape', status)).toBe(expected);
		});

		test.each<Cause>([
			'refused',
			'page_out_of_range',
			'not_found',
			'already_exists',
			'unprocessable',
			'not_from_api',
			'incomplete_list',
		])('with %s, as one without results', async (cause) => {
			expect(await readEarly(cause, 400)).toBe('not yet');
		});

		test.each<Cause>([
			'unauthorized',
			'forbidden',
			'no_endpoint',
			'session_closed',
			'nothing_or_filter',
			'rate_limited',
			'quota_spent',
			'platform_error',
			'unconfirmed',
			'unreachable',
			'not_json',
			'unexpected_shape',
			'time_over',
		])('with %s, which says nothing of its results', async (cause) => {
			expect(await readEarly(cause, 400)).toBe('failed');
		});
	});
});

describe('the wait for a job', () => {
	/** A job of fifty people that has just been sent, waited for a quarter of an hour at most. */
	async function waited(circumstances: Circumstances = {}, jobId = 'job-1') {
		const { clock, platform, parts } = modelScene(circumstances);
		const tasks = someRows(50).map(({ registration }) => asTask(registration));
		const body = { data: { type: 'jobs', attributes: { tasks } } };
		await clock.run(parts.client.send({ method: 'POST', path: '/sessions/s/people/bulk', body }));
		const start = clock.now();
		const sent = platform.requests;
		const job = await clock.run(waitForJob(jobId, 900, parts));
		return { job, looks: platform.requests - sent, seconds: (clock.now() - start) / 1_000 };
	}

	test.each([
		[100, 5],
		[800, 6],
	])('a job of %i seconds is looked at %i times at most, and not late', async (lasts, most) => {
		const jobMs = () => lasts * 1_000;
		const { looks, seconds } = await waited({ platform: { jobMs } });
		// Pauses are half a minute at most.
		expect(looks).toBeLessThanOrEqual(most + Math.floor(lasts / 30));
		expect(seconds).toBeLessThan(lasts + 31);
	});

	test('a job that gets stuck is looked at ever more rarely, until time is over', async () => {
		const { job, looks, seconds } = await waited({ platform: { jobMs: () => Infinity } });
		expect(job).toMatchObject({ id: 'job-1', processed: 25, isFinal: false });
		expect(looks).toBeLessThan(40);
		expect(seconds).toBeGreaterThan(899);
		expect(seconds).toBeLessThan(901);
	});

	test('a cancel ends the wait as cancelled', async () => {
		const wait = waited({ platform: { jobMs: () => 100_000 }, cancelAfterMs: 7_000 });
		await expect(wait).rejects.toBeInstanceOf(Cancelled);
	});

	test('a job that does not exist is a failure that names it', async () => {
		const wait = waited({}, 'no-such-job');
		const request = { path: '/jobs/no-such-job' };
		await expect(wait).rejects.toMatchObject({ cause: 'not_found', request });
	});

	/** Three seconds of a job that does not end; the third look may be answered with something else. */
	async function endless(third?: Error) {
		const clock = new VirtualClock();
		const { ask, asked } = fakePlatform(
			(_, nth) => (nth === 3 && third) || { id: 'j', status: 'processing' },
		);
		const deadlineAtMs = clock.now() + 3_000;
		const job = await clock.run(waitForJob('j', 3, { client: { send: ask }, clock }));
		return { job, reads: asked.length, asked, deadlineAtMs };
	}

	test('when the time is over nothing more is asked', async () => {
		// The reads come at once, after one second, and after three.
		expect(await endless()).toMatchObject({ job: { isFinal: false }, reads: 3 });
	});

	test('no request waits beyond the end of the wait, however long a pause the platform asks for', async () => {
		const { asked, deadlineAtMs } = await endless();
		expect(new Set(asked.map((request) => request.deadlineAtMs))).toEqual(new Set([deadlineAtMs]));
	});

	test('a wait ends with the job as it ended', async () => {
		const { job } = await waited();
		expect(job).toMatchObject({ id: 'job-1', status: 'ended', isFinal: true });
	});

	test.each<[string, Cause, number | undefined]>([
		['a 429 whose pause would last beyond it', 'rate_limited', 30_000],
		['no answer', 'unconfirmed', undefined],
		['an error of the platform', 'platform_error', undefined],
	])(
		'%s at the end of the time ends the wait with what was last seen',
		async (_, cause, pauseMs) => {
			const request: ApiRequest = { method: 'GET', path: '/jobs/j' };
			const retryAt = pauseMs && Date.UTC(2026, 0, 1) + pauseMs;
			const { job } = await endless(new Failure(cause, request, { retryAt }));
			expect(job).toMatchObject({ id: 'j', isFinal: false });
		},
	);

	test.each([10, 45])('an outage of %i seconds does not end the wait', async (seconds) => {
		const jobMs = () => 40_000;
		const downMs = [5_000, 5_000 + seconds * 1_000] as const;
		const { job, looks } = await waited({ platform: { jobMs, downMs } });
		expect(job).toMatchObject({ id: 'job-1', status: 'ended', isFinal: true });
		// Without the outage there are five.
		expect(looks).toBeLessThanOrEqual(5 + 8);
	});

	/** A wait of so many seconds for a job, each look at which fails. */
	async function failing(cause: Cause, maxWaitSeconds: number, pauseMs?: number) {
		const clock = new VirtualClock();
		const start = clock.now();
		let looks = 0;
		const send = (request: ApiRequest) => {
			looks += 1;
			const retryAt = pauseMs && clock.now() + pauseMs;
			return Promise.reject(new Failure(cause, request, { retryAt }));
		};
		const wait = waitForJob('j', maxWaitSeconds, { client: { send }, clock });
		const end = await clock.run(wait).catch((error: unknown) => error);
		return { end, looks, seconds: (clock.now() - start) / 1_000 };
	}

	test.each<Cause>(['platform_error', 'unconfirmed', 'unreachable', 'not_from_api'])(
		'%s is the failure of a wait when it lasts for a minute',
		async (cause) => {
			const { end, looks, seconds } = await failing(cause, 600);
			expect(end).toMatchObject({ cause });
			expect([looks, Math.round(seconds)]).toEqual([8, 62]);
		},
	);

	test('where each look has failed until the time is over, the failure is told, and not the time', async () => {
		expect((await failing('platform_error', 20)).end).toMatchObject({ cause: 'platform_error' });
	});

	test.each<Cause>(['unauthorized', 'missing_scope', 'not_found', 'quota_spent'])(
		'%s ends a wait at once',
		async (cause) => {
			expect(await failing(cause, 600)).toMatchObject({ end: { cause }, looks: 1, seconds: 0 });
		},
	);

	test('a pause of more than two minutes is the failure of a wait that has more time', async () => {
		const { end, looks } = await failing('rate_limited', 600, 180_000);
		expect([end, looks]).toMatchObject([{ cause: 'rate_limited' }, 1]);
	});

	test('a cancel ends a wait in an outage', async () => {
		const platform = { jobMs: () => 40_000, downMs: [5_000, 60_000] as const };
		const wait = waited({ platform, cancelAfterMs: 20_000 });
		await expect(wait).rejects.toBeInstanceOf(Cancelled);
	});

	test('a pause that the platform asks for beyond the end of the wait ends it before anything was seen', async () => {
		const clock = new VirtualClock();
		const send = (request: ApiRequest) =>
			Promise.reject(new Failure('rate_limited', request, { retryAt: clock.now() + 30_000 }));
		expect(await clock.run(waitForJob('j', 10, { client: { send }, clock }))).toBeUndefined();
	});

	test('a request that comes too late ends the wait with what was last seen', async () => {
		const tooLate = new Failure('time_over', { method: 'GET', path: '/jobs/j' });
		expect((await endless(tooLate)).job).toMatchObject({ id: 'j', isFinal: false });
	});
});
