import { asFailure, Failure } from '../client/failure';
import type { ApiRequest, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { pathTo } from '../client/path';
import { expectJob } from './jobState';
import { type JobState } from '../dialect/jobs';

/** The bounds of the pause between two reads of a job. */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Gives the pause before a job is read again that is `ageMs` old. So the pauses double. */
export function pauseBeforeReadMs(ageMs: number): number {
	return Math.min(longestPauseMs, shortestPauseMs + ageMs);
}

/** Waits until the job has a final status or the time is over, and gives it as it was last seen. */
export async function waitForJob(
	jobId: string,
	maxWaitSeconds: number,
	{ api, clock, signal }: { api: Ask; clock: Clock; signal?: AbortSignal },
): Promise<JobState | undefined> {
	const beganAtMs = clock.now();
	const deadlineAtMs = beganAtMs + maxWaitSeconds * 1_000;
	const path = pathTo`/jobs/${jobId}`;
	const request: ApiRequest = { method: 'GET', path, deadlineAtMs };
	let job: JobState | undefined;
	for (;;) {
		const response = await api(request).catch(asFailure);
		if (response instanceof Failure && response.cause === 'time_over') return job;
		if (response instanceof Failure) throw response;
		job = expectJob(request, response);
		const readAt = clock.now();
		if (job.isFinal || readAt >= deadlineAtMs) return job;
		const pauseMs = pauseBeforeReadMs(readAt - beganAtMs);
		await clock.sleep(Math.min(pauseMs, deadlineAtMs - readAt), signal);
	}
}
