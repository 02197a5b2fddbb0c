import { jobOf, type JobState } from '../jobs/jobState';
import { Failure, type Cause } from '../http/failure';
import { readPage, type PageMeta } from '../http/jsonApi';
import type { ApiRequest, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import type { Knowledge } from './knowledge';
import { mostTasks } from './plan';
import type { Sender } from './sender';
import { readTaskResult, type TaskResult } from '../jobs/taskResult';

export interface Looked {
	/** Present: the job is over, and this is all there is. */
	results?: TaskResult[];
	processed: number;
	/** The status was asked for. */
	state?: JobState;
}

export interface Watched {
	readonly id: string;
	readonly tasks: number;
	/** Looks so far. */
	looks: number;
	processed: number;
	isFinal: boolean;
	/** Reads of a job that is over which did not have all results. */
	shortReads: number;
}

interface Reading {
	results: TaskResult[];
	/** How many there are, on whatever page. */
	count: number;
	isAnswered: boolean;
}

/** Looks at a job in as few requests as what is known about the platform allows. */
export async function lookAt(
	job: Watched,
	api: Sender,
	knowledge: Knowledge,
	deadline?: number,
): Promise<Looked> {
	const first = job.looks === 0;
	let state: JobState | undefined;
	let reading: Reading | undefined;
	if (job.isFinal || knowledge.readsFirst(first)) {
		reading = await readResults(job, api, knowledge, deadline);
		if (reading.results.length >= job.tasks) return finished(reading, first, knowledge);
		if (!job.isFinal && reading.count > job.processed) {
			knowledge.earlyResults = 'shown';
			knowledge.looked(first, false);
			return { processed: reading.count };
		}
	}
	if (!job.isFinal) {
		state = await readStatus(job, api, deadline);
		const processed = state.processed ?? 0;
		if (reading?.count === 0 && knowledge.earlyResults === 'untried') {
			if (!reading.isAnswered || (processed > 0 && !state.isFinal))
				knowledge.earlyResults = 'hidden';
		}
		if (!state.isFinal) {
			knowledge.looked(first, false);
			return { processed: Math.max(processed, reading?.count ?? 0), state };
		}
		job.isFinal = true;
		reading = await readResults(job, api, knowledge, deadline);
		if (reading.results.length >= job.tasks) {
			return { ...finished(reading, first, knowledge), state };
		}
	}
	// Over, and yet not all results: once more, in case the list lags behind the status.
	job.shortReads += 1;
	const results = job.shortReads > 1 ? (reading?.results ?? []) : undefined;
	return { results, processed: job.tasks, state };
}

function finished({ results }: Reading, first: boolean, knowledge: Knowledge): Looked {
	knowledge.looked(first, true);
	return { results, processed: results.length };
}

async function readStatus(job: Watched, api: Sender, deadline?: number): Promise<JobState> {
	const request = { method: 'GET', path: pathTo`/jobs/${job.id}`, deadline } as const;
	return jobOf(request, await api(request));
}

async function readResults(
	job: Watched,
	api: Sender,
	knowledge: Knowledge,
	deadline?: number,
): Promise<Reading> {
	const path = pathTo`/jobs/${job.id}/tasks`;
	const page = (number: number): ApiRequest => ({
		method: 'GET',
		path,
		query: { 'page[number]': number, 'page[size]': mostTasks },
		deadline,
	});
	const first = await readFirstPage(page(0), api, knowledge).catch((error: unknown) => {
		// Some platforms have no results to show before the end.
		const isHidden = error instanceof Failure && noResults.has(error.reason);
		if (isHidden && !job.isFinal) return undefined;
		throw error;
	});
	if (!first) return { results: [], count: 0, isAnswered: false };
	const { records, meta } = first;
	const count = meta?.recordCount ?? records.length;
	const lastPage = knowledge.paging === 'works' && count >= job.tasks ? (meta?.lastPage ?? 0) : 0;
	for (let number = 1; number <= lastPage; number++) {
		records.push(...readPage(page(number), await api(page(number))).records);
	}
	const results = records.map(readTaskResult).filter((result) => result !== undefined);
	const isOnePage = (meta?.lastPage ?? 0) === 0;
	return { results, count: isOnePage ? results.length : count, isAnswered: true };
}

const noResults: ReadonlySet<Cause> = new Set<Cause>(['not_found', 'page_out_of_range']);

type Page = { records: JsonObject[]; meta?: PageMeta };

/** With page parameters, or without where they break the answer. */
async function readFirstPage(
	request: ApiRequest,
	api: Sender,
	knowledge: Knowledge,
): Promise<Page> {
	const plain: ApiRequest = { ...request, query: undefined };
	if (knowledge.paging === 'broken') return readPage(plain, await api(plain));
	if (knowledge.paging === 'works') return readPage(request, await api(request));
	const withPages = await api({ ...request, once: true }).catch((error: unknown) => {
		if (error instanceof Failure && error.reason === 'platform_error') return undefined;
		throw error;
	});
	if (withPages) {
		knowledge.paging = 'works';
		return readPage(request, withPages);
	}
	const page = readPage(plain, await api(plain));
	const isFirstOfMany = (page.meta?.lastPage ?? 0) > 0;
	// Several pages of the usual twenty (4.2): pages do work, it was another trouble.
	knowledge.paging = isFirstOfMany ? 'works' : 'broken';
	return isFirstOfMany ? readPage(request, await api(request)) : page;
}
