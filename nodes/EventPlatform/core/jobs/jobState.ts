/*
 * Jobs: the platform registers up to fifty people in each. Begin here: its state, and when to read it again.
 *
 *   task.ts     what is sent of a person, and what came of it
 *   notYet.ts   when a refusal of results may mean that the job is not over
 *   alreadyRegistered.ts  when an error means that the person is registered already
 *   address.ts  email addresses as people write them
 */
import { asFailure, Failure } from '../client/failure';
import { isObject, type JsonObject } from '../values/json';
import { pathTo, type Answer, type ApiRequest, type Ask, type Clock } from '../client/request';

/** Section 3.1. */
export type JobState = NonNullable<ReturnType<typeof readJob>>;

/** Flat as in section 2.1 or wrapped in `data`; undefined where it is no job. */
export function readJob(body: unknown) {
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

export function expectJob(request: ApiRequest, answer: Answer): JobState {
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

/** Waits until the job has a final status or the time is over, and gives it as it was last seen. */
export async function waitForJob(
	jobId: string,
	maxWaitSeconds: number,
	{ api, clock, signal }: { api: Ask; clock: Clock; signal?: AbortSignal },
): Promise<JobState | undefined> {
	const deadline = clock.now() + maxWaitSeconds * 1_000;
	const request = { method: 'GET', path: pathTo`/jobs/${jobId}`, deadline } as const;
	let job: JobState | undefined;
	let reads: Progress[] = [];
	for (;;) {
		const answer = await api(request).catch(asFailure);
		if (answer instanceof Failure && answer.reason === 'time_over') return job;
		if (answer instanceof Failure) throw answer;
		job = expectJob(request, answer);
		const at = clock.now();
		if (job.isFinal || at >= deadline) return job;
		reads = [...reads, { at, processed: job.processed ?? 0 }].slice(-8);
		await clock.sleep(Math.min(nextReadMs(reads, job.total), deadline - at), signal);
	}
}

/** How far a job was when it was read. */
export type Progress = Record<'at' | 'processed', number>;

const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/** The wait before a job is read again: until the end that progress predicts, else twice the time since the last change. */
export function nextReadMs(reads: readonly Progress[], total = 50): number {
	const [first] = reads;
	const last = reads.at(-1);
	if (!last || !first || last === first) return 2 * shortestPauseMs;
	const idleSince = reads.find(({ processed }) => processed >= last.processed) ?? last;
	const perTaskMs = (last.at - first.at) / (last.processed - first.processed);
	// A twentieth late costs less than one request too many.
	const leftMs = 1.05 * perTaskMs * Math.max(1, total - last.processed);
	const ms = idleSince === last ? leftMs : 2 * (last.at - idleSince.at);
	return Math.min(longestPauseMs, Math.max(shortestPauseMs, ms));
}
