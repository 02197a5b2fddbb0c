import { asFailure, Failure } from '../client/failure';
import type { ApiRequest, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { pathTo } from '../client/path';
import { expectJob } from './jobState';
import { type JobState } from '../dialect/jobs';
import { nextReadMs, type Progress } from './nextRead';

/** So many of the latest reads show how fast a job is now. Older ones would hide that it has become slower. */
const readsForForecast = 8;

/** Waits until the job has a final status or the time is over, and gives it as it was last seen. */
export async function waitForJob(
	jobId: string,
	maxWaitSeconds: number,
	{ api, clock, signal }: { api: Ask; clock: Clock; signal?: AbortSignal },
): Promise<JobState | undefined> {
	const deadlineAtMs = clock.now() + maxWaitSeconds * 1_000;
	const path = pathTo`/jobs/${jobId}`;
	const request: ApiRequest = { method: 'GET', path, deadlineAtMs };
	let job: JobState | undefined;
	let reads: Progress[] = [];
	for (;;) {
		const response = await api(request).catch(asFailure);
		if (response instanceof Failure && response.cause === 'time_over') return job;
		if (response instanceof Failure) throw response;
		job = expectJob(request, response);
		const readAt = clock.now();
		if (job.isFinal || readAt >= deadlineAtMs) return job;
		reads = [...reads, { readAt, processed: job.processed ?? 0 }].slice(-readsForForecast);
		await clock.sleep(Math.min(nextReadMs(reads, job.total), deadlineAtMs - readAt), signal);
	}
}
