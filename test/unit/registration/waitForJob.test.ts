import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { waitForJob } from '../../../nodes/EventPlatform/core/registration/jobRequests';
import { asTask } from '../../../nodes/EventPlatform/core/people/registration';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { someRows, modelScene, type Circumstances } from '../../support/runs/simulation';
import { VirtualClock } from '../../support/time/virtualClock';

/** A job of fifty people that has just been sent, waited for a quarter of an hour at most. */
async function waited(circumstances: Circumstances = {}, jobId = 'job-1') {
	const { clock, platform, parts } = modelScene(circumstances);
	const tasks = someRows(50).map(({ registration }) => asTask(registration));
	const body = { data: { type: 'jobs', attributes: { tasks } } };
	await clock.run(parts.api({ method: 'POST', path: '/sessions/s/people/bulk', body }));
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
	const job = await clock.run(waitForJob('j', 3, { api: ask, clock }));
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

test('a request that comes too late ends the wait with what was last seen', async () => {
	const tooLate = new Failure('time_over', { method: 'GET', path: '/jobs/j' });
	expect((await endless(tooLate)).job).toMatchObject({ id: 'j', isFinal: false });
});
