/*
 * Jobs, in each of which the platform registers up to fifty people. Begin here. The operations of jobs, registration and the webhook
 * trigger stand on this folder.
 *
 *   taskResult.ts  one result of a job
 *   assign.ts      whose it is
 *   whenRead.ts    when a job is read, and how often
 *   jobPeople.ts   the people of the jobs that this process has started, for workflows that ask for a job or hear of its end
 *
 * This file has the requests: send people, ask for the state, wait for the end, read the results.
 */
import type { Ask, Client, ApiRequest, ApiResponse, Retry } from '../client/request';
import { pathTo, pathToPeople } from '../client/path';
import { type JobState, readJob } from '../dialect/jobs';
import { asTask, type Registration } from '../people/registration';
import type { JsonObject } from '../values/json';
import { Failure, asFailure } from '../client/failure';
import type { Clock } from '../client/clock';
import { readPages } from '../client/pages';
import { readPage } from '../client/document';
import { longestPauseMs, Persistence } from '../client/patience';
import { isLasting, meaningOf } from '../failures/meaning';
import { addAll } from '../values/collections';
import { pauseBeforeReadMs } from './whenRead';
import type { Seconds } from '../values/units';

export async function submit(
	sessionId: string,
	people: readonly Registration[],
	isPlain: boolean,
	ask: Ask,
): Promise<JobState> {
	const tasks = people.map((registration) => asTask(registration, isPlain));
	const request: ApiRequest = {
		method: 'POST',
		path: `${pathToPeople(sessionId)}/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4 asks for JSON:API's own type here, and nowhere else.
		contentType: 'application/vnd.api+json',
	};
	// Only the run repeats a request that may have arrived, because it has to know about that. A 2xx without a job may stand for
	// a job that nobody can ask about.
	return expectJob(request, await ask(request));
}

export function expectJob(request: ApiRequest, response: ApiResponse): JobState {
	const job = readJob(response.body);
	if (job) return job;
	throw new Failure('unexpected_shape', request, { status: response.status });
}

/** Reads the state of a job. A job in the response counts whatever the HTTP status of success is: 200, 202 or 207. */
export async function readJobState(ask: Ask, jobId: string, retry?: Retry): Promise<JobState> {
	const request = { method: 'GET', path: pathTo`/jobs/${jobId}`, retry } as const;
	return expectJob(request, await ask(request));
}

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

/**
 * Looks at a job until it is over, or its time is: then the job is given as it was last seen, undefined where it never was. The loop is no
 * `persist`, because one look that works does not end it: after it the patience begins anew.
 */
export async function waitForJob(
	jobId: string,
	maxWaitSeconds: Seconds,
	{ client, clock, signal }: { client: Pick<Client, 'send'>; clock: Clock; signal?: AbortSignal },
): Promise<JobState | undefined> {
	const beganAtMs = clock.now();
	const deadlineAtMs = beganAtMs + maxWaitSeconds * 1_000;
	const path = pathTo`/jobs/${jobId}`;
	// A look that fails is repeated here, so the client does not.
	const request: ApiRequest = { method: 'GET', path, deadlineAtMs, retry: 'onlyWhenRateLimited' };
	const persistence = new Persistence('batch');
	let job: JobState | undefined;
	for (;;) {
		const response = await client.send(request).catch(asFailure);
		const nowMs = clock.now();
		if (response instanceof Failure) {
			const { retryAt } = response;
			const waitMs = mayLookAgain(response) ? persistence.failed(nowMs, { retryAt }) : undefined;
			const isTimeOver = waitMs !== undefined && nowMs + waitMs >= deadlineAtMs;
			if (isTimeOver || response.cause === 'time_over') {
				// A single look that failed may be chance.
				if (job || persistence.failures <= 1) return job;
				throw response;
			}
			if (waitMs === undefined || waitMs > longestPauseMs) throw response;
			await clock.sleep(waitMs, signal);
			continue;
		}
		persistence.succeeded();
		job = expectJob(request, response);
		if (job.isFinal || nowMs >= deadlineAtMs) return job;
		const pauseMs = pauseBeforeReadMs(nowMs - beganAtMs);
		await clock.sleep(Math.min(pauseMs, deadlineAtMs - nowMs), signal);
	}
}

/** Another look may be answered: a gateway that has refused one may pass the next one on. */
function mayLookAgain(failure: Failure): boolean {
	return !isLasting(failure) || failure.cause === 'not_from_api';
}

/** Reads the results of jobs. */
export class TaskReader {
	/**
	 * Where results come in several pages, the job has to be over before they are read. Supposed: they may move from page to page while it runs,
	 * and somebody who has failed would be told as registered.
	 */
	hasSmallPages = false;
	/** Section 4.2 has page parameters, but some platforms respond to them with a 500. */
	private paging: 'untried' | 'works' | 'broken' = 'untried';

	/** `retry`: that of each request. */
	constructor(
		private readonly ask: Ask,
		private readonly retry?: Retry,
	) {}

	async readEarly(jobId: string): Promise<JsonObject[] | Failure> {
		return await this.read(jobId).catch((error: unknown) => {
			const failure = asFailure(error);
			if (mayMeanNotYet(failure)) return failure;
			throw failure;
		});
	}

	/** A refusal is a failure unless the platform says that the job is under way. */
	async readSoFar(jobId: string): Promise<JsonObject[]> {
		const results = await this.readEarly(jobId);
		if (!(results instanceof Failure)) return results;
		const state = await readJobState(this.ask, jobId).catch(asFailure);
		if (state instanceof Failure || state.isFinal) throw results;
		return [];
	}

	async read(jobId: string): Promise<JsonObject[]> {
		const { ask, retry } = this;
		const path = pathTo`/jobs/${jobId}/tasks`;
		if (this.paging !== 'broken') {
			// A failure may be the parameters' fault, so it is looked at before the request is repeated.
			const isTrial = this.paging === 'untried';
			const tasks = await this.readInPages(path, isTrial ? 'onlyWhenRateLimited' : retry).catch(
				asFailure,
			);
			if (!(tasks instanceof Failure)) {
				this.paging = 'works';
				return tasks;
			}
			if (!isTrial || tasks.cause !== 'platform_error') throw tasks;
		}
		const request = { method: 'GET', path, retry } as const;
		const { records, lastPage = 0 } = readPage(request, await ask(request));
		// Where the results fill several pages of the usual twenty (4.2), pages do work, and the failure had another reason.
		this.paging = lastPage > 0 ? 'works' : 'broken';
		return this.paging === 'works' ? this.read(jobId) : records;
	}

	private async readInPages(path: string, retry?: Retry): Promise<JsonObject[]> {
		const tasks: JsonObject[] = [];
		let pages = 0;
		for await (const { records } of readPages(this.ask, path, { retry })) {
			pages += 1;
			addAll(tasks, records);
		}
		this.hasSmallPages ||= pages > 1;
		return tasks;
	}
}

/**
 * Nobody has written down what the platform responds when the results of a job are read before its end, and where there is no
 * result yet, even the first page may be one that does not exist (4.2). Therefore before the end the status of the job decides.
 * After it the list of results may lag behind.
 */
export function mayMeanNotYet(failure: Failure): boolean {
	const { cause, status = 0 } = failure;
	const isWithoutList = cause === 'unexpected_shape' && status >= 200 && status < 300;
	return isWithoutList || meaningOf(failure).isNotYet === true;
}
