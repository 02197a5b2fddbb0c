/*
 * Jobs: the platform registers up to fifty people in each. Begin here: what state a job is in.
 *
 *   waiting.ts   waits until a job is over, and says when to read one again
 *   tasks.ts     reads the tasks of a job; task.ts: what is sent of a person, and what came of it
 *   alreadyRegistered.ts  when an error means that the person is registered already
 *   address.ts   email addresses as people write them
 */
import { Failure } from '../http/failure';
import { isObject } from '../http/json';
import type { Answer, ApiRequest, JsonObject } from '../http/ports';

/** Section 3.1. */
export interface JobState {
	id: string;
	status: string;
	isFinal: boolean;
	total?: number;
	processed?: number;
	succeeded?: number;
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

/** The job of an answer; a `Failure` where there is none. */
export function expectJob(request: ApiRequest, answer: Answer): JobState {
	const job = readJob(answer.body);
	if (job) return job;
	throw new Failure('unexpected_shape', request, { status: answer.status });
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
