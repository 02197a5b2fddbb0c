/*
 * Jobs: the platform registers up to fifty people in each. Begin here: the state of a job.
 *
 *   waitForJob.ts   waits until a job is over
 *   nextRead.ts     when a job is read again
 *   notYet.ts       when a refusal of results may mean that the job is not over
 *   taskReader.ts   reads the results of a job
 *   taskResult.ts   one result
 *   assign.ts       finds the result of each person
 *   jobPeople.ts    the people of the jobs that this process has started
 *   nameResults.ts  names the people of results, and asks who is registered where the results leave that open
 *   taskRecords.ts  the results as workflows see them
 */
import { Failure } from '../client/failure';
import { isObject, type JsonObject } from '../values/json';
import { pathTo } from '../client/path';
import type { ApiResponse, ApiRequest, Ask } from '../client/request';

/** The state of a job (section 3.1), whatever the platform calls its counters. */
export interface JobState {
	id: string;
	/** As the platform says it; `processing` where it says nothing. */
	status: string;
	/** Nothing changes any more. */
	isFinal: boolean;
	/** How many people the job has. */
	total?: number;
	/** How many of them it has dealt with. */
	processed?: number;
	/** How many it has registered. */
	succeeded?: number;
	/** How many it could not register. */
	failed?: number;
}

/** Flat as in section 2.1 or wrapped in `data`; undefined where it is no job. */
export function readJob(body: unknown): JobState | undefined {
	if (!isObject(body)) return undefined;
	const record = isObject(body.data) ? body.data : body;
	const { id } = record;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	const attributes = isObject(record.attributes) ? record.attributes : record;
	const status = typeof attributes.status === 'string' ? attributes.status : 'processing';
	const total = count(attributes, 'total_items', 'total_tasks');
	const processed = count(attributes, 'total_processed_items', 'total_processed_tasks');
	return {
		id: String(id),
		status,
		isFinal: isFinal(status, total, processed),
		total,
		processed,
		succeeded: count(attributes, 'total_success', 'total_succeeded'),
		failed: count(attributes, 'total_fail', 'total_failed'),
	};
}

/** A status that the specification does not know is final when every task is processed. */
function isFinal(status: string, total = 0, processed = 0): boolean {
	if (status === 'ended' || status === 'failed') return true;
	return status !== 'processing' && total > 0 && processed >= total;
}

export function expectJob(request: ApiRequest, answer: ApiResponse): JobState {
	const job = readJob(answer.body);
	if (job) return job;
	throw new Failure('unexpected_shape', request, { status: answer.status });
}

/** Asks for the state of a job. Whatever the status of success is called (200, 202 or 207), a job in the answer is one. */
export async function readJobState(ask: Ask, jobId: string): Promise<JobState> {
	const request = { method: 'GET', path: pathTo`/jobs/${jobId}` } as const;
	return expectJob(request, await ask(request));
}

/** A job as people and workflows see it, whatever the platform calls its counters. */
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

function count(attributes: JsonObject, ...names: string[]): number | undefined {
	return names.map((name) => attributes[name]).find((value) => typeof value === 'number');
}
