/*
 * Jobs: the platform registers up to fifty people in each. Begin here: the state of a job, and the wait for its end.
 *
 *   taskReader.ts   reads the results of a job, which may not be over
 *   taskResult.ts   one result
 *   assign.ts       finds the result of each person
 *   nameResults.ts  keeps the people of the jobs that this process has started, names those of results, and asks who is registered where the results leave that open
 *   taskRecords.ts  the results as workflows see them
 */
import { Failure, asFailure } from '../client/failure';
import { readJob, type JobState } from '../dialect/jobs';
import type { JsonObject } from '../values/json';
import { pathTo } from '../client/path';
import type { ApiResponse, ApiRequest, Ask } from '../client/request';
import type { Clock } from '../client/clock';

/** Gives the job that a response holds. Throws where it holds none. */
export function expectJob(request: ApiRequest, response: ApiResponse): JobState {
	const job = readJob(response.body);
	if (job) return job;
	throw new Failure('unexpected_shape', request, { status: response.status });
}

/** Reads the state of a job. A job in the response counts whatever the HTTP status of success is: 200, 202 or 207. */
export async function readJobState(
	ask: Ask,
	jobId: string,
	retry?: ApiRequest['retry'],
): Promise<JobState> {
	const request = { method: 'GET', path: pathTo`/jobs/${jobId}`, retry } as const;
	return expectJob(request, await ask(request));
}

/** Gives a job as people and workflows see it, whatever the platform calls its counters. */
export function jobRecord(job: Omit<JobState, 'isFinal'>): JsonObject {
	return {
		id: job.id,
		status: job.status,
		total_items: job.total ?? null,
		total_processed_items: job.processed ?? null,
		total_success: job.succeeded ?? null,
		total_fail: job.failed ?? null,
	};
}

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
