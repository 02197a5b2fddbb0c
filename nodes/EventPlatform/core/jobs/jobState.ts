/*
 * Jobs: the platform registers up to fifty people in each. Begin here: the state of a job.
 *
 *   waitForJob.ts   waits until a job is over
 *   notYet.ts       tells whether a refusal of results may mean that the job is not over
 *   taskReader.ts   reads the results of a job
 *   taskResult.ts   one result
 *   assign.ts       finds the result of each person
 *   jobPeople.ts    the people of the jobs that this process has started
 *   nameResults.ts  names the people of results, and asks who is registered where the results leave that open
 *   taskRecords.ts  the results as workflows see them
 */
import { Failure } from '../client/failure';
import { readJob, type JobState } from '../dialect/jobs';
import type { JsonObject } from '../values/json';
import { pathTo } from '../client/path';
import type { ApiResponse, ApiRequest, Ask } from '../client/request';

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
