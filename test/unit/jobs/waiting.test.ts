import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import { waitForJob } from '../../../nodes/EventPlatform/core/jobs/waiting';
import { asTask } from '../../../nodes/EventPlatform/core/jobs/task';
import { createApi } from '../../../nodes/EventPlatform/core/http/api';
import { createPace } from '../../../nodes/EventPlatform/core/pace/pace';
import { PlatformModel, type ModelOptions } from '../../support/platformModel';
import { candidates } from '../../support/simulation';
import { VirtualClock } from '../../support/virtualClock';

interface Wait {
	platform?: Partial<ModelOptions>;
	maxWaitSeconds?: number;
	cancelAfterMs?: number;
	jobId?: string;
}

/** A job of fifty people that has just been sent, waited for. */
async function waited({ platform, maxWaitSeconds = 900, cancelAfterMs, jobId }: Wait = {}) {
	const clock = new VirtualClock();
	const model = new PlatformModel(clock, platform);
	const cancel = new AbortController();
	if (cancelAfterMs !== undefined) clock.later(cancelAfterMs, () => cancel.abort());
	const { signal } = cancel;
	const api = createApi({ send: model.send, clock, pace: createPace({ clock }), signal });
	const tasks = candidates(50).map(({ wanted }) => asTask(wanted));
	const body = { data: { type: 'jobs', attributes: { tasks } } };
	await clock.run(api({ method: 'POST', path: '/sessions/s/people/bulk', body }));
	const start = clock.now();
	const sent = model.requests;
	const ending = waitForJob(jobId ?? 'job-1', { api, clock, signal, maxWaitSeconds });
	const result = await clock.run(ending);
	return { result, looks: model.requests - sent, seconds: (clock.now() - start) / 1_000 };
}

test.each([
	[1, 3],
	[10, 4],
	[100, 5],
	[800, 6],
])('a job of %i seconds is looked at %i times at most, and not late', async (lasts, most) => {
	const jobMs = () => lasts * 1_000;
	const { looks, seconds } = await waited({ platform: { jobMs } });
	// Pauses are half a minute at most.
	expect(looks).toBeLessThanOrEqual(most + Math.floor(lasts / 30));
	expect(seconds).toBeLessThan(lasts * 1.1 + 2);
});

test('a job that gets stuck is looked at ever more rarely, until time is over', async () => {
	const { result, looks, seconds } = await waited({ platform: { jobMs: () => Infinity } });
	expect(result).toMatchObject({ ended: 'TIMEOUT', job: { id: 'job-1', processed: 25 } });
	expect(looks).toBeLessThan(40);
	expect(seconds).toBeGreaterThan(899);
	expect(seconds).toBeLessThan(901);
});

test('a cancel ends the wait within a second, with what was last seen', async () => {
	const platform = { jobMs: () => 100_000 };
	const { result, seconds } = await waited({ platform, cancelAfterMs: 7_000 });
	expect(result).toMatchObject({ ended: 'ABORTED', job: { status: 'processing' } });
	expect(seconds).toBeLessThan(8);
});

test('a job that does not exist is a failure that names it', async () => {
	const wait = waited({ jobId: 'no-such-job' });
	await expect(wait).rejects.toMatchObject({
		reason: 'not_found',
		request: { path: '/jobs/no-such-job' },
	});
});

/** A platform whose jobs never end, or that says so once the time is over. */
async function endless(maxWaitSeconds: number, lastAnswer?: Error) {
	const clock = new VirtualClock();
	const end = clock.now() + maxWaitSeconds * 1_000;
	let reads = 0;
	const ask = () => {
		reads += 1;
		if (lastAnswer && clock.now() >= end) return Promise.reject(lastAnswer);
		return Promise.resolve({ status: 200, headers: {}, body: { id: 'j', status: 'processing' } });
	};
	const api = Object.assign(ask, { usage: { requests: 0, perSecond: 5 } });
	const result = await clock.run(waitForJob('j', { api, clock, maxWaitSeconds }));
	return { result, reads };
}

test('when the time is over nothing more is asked', async () => {
	// At once, after one second, and after three.
	expect(await endless(3)).toMatchObject({ result: { ended: 'TIMEOUT' }, reads: 3 });
});

test('a wait ends with the job as it ended', async () => {
	const { result } = await waited();
	expect(result).toMatchObject({ ended: 'SUCCESS', job: { id: 'job-1', status: 'ended' } });
});

test('a request that comes too late ends the wait with what was last seen', async () => {
	const tooLate = new Failure('time_over', { method: 'GET', path: '/jobs/j' });
	expect((await endless(3, tooLate)).result).toMatchObject({ ended: 'TIMEOUT', job: { id: 'j' } });
});
