import { Failure, asFailure } from '../client/failure';
import { type ListOptions, listRecords } from '../client/pages';
import { readPage } from '../client/document';
import type { Ask } from '../client/request';
import { pathTo } from '../client/path';
import type { JsonObject } from '../values/json';
import { readJobState } from './jobState';
import { mayMeanNotYet } from './notYet';

/** Reads the tasks of jobs, and remembers for the next job what page parameters did to the last. */
export class TaskReader {
	/** Whether results come in several pages. They may move from page to page while a job runs, so its end is asked for first. */
	hasSmallPages = false;
	/** Page parameters work by section 4.2; some platforms answer 500 to them. */
	private paging: 'untried' | 'works' | 'broken' = 'untried';

	/** Gives the results of a job that may not be over, or the failure that may mean so. */
	async readEarly(ask: Ask, jobId: string, list?: ListOptions): Promise<JsonObject[] | Failure> {
		return await this.read(ask, jobId, list).catch((error: unknown) => {
			const failure = asFailure(error);
			if (mayMeanNotYet(failure)) return failure;
			throw failure;
		});
	}

	/** Gives the results as far as there are any. A refusal is a failure unless the platform says that the job is under way. */
	async readSoFar(ask: Ask, jobId: string, list?: ListOptions): Promise<JsonObject[]> {
		const results = await this.readEarly(ask, jobId, list);
		if (!(results instanceof Failure)) return results;
		const state = await readJobState(ask, jobId).catch(asFailure);
		if (state instanceof Failure || state.isFinal) throw results;
		return [];
	}

	async read(ask: Ask, jobId: string, list: ListOptions = {}): Promise<JsonObject[]> {
		const path = pathTo`/jobs/${jobId}/tasks`;
		if (this.paging !== 'broken') {
			// A failure may be the parameters' fault, so it is looked at before it is repeated.
			const isTrial = this.paging === 'untried';
			const retry = isTrial ? 'onlyWhenRefused' : list.retry;
			let requests = 0;
			const counted: Ask = (request) => {
				requests += 1;
				return ask(request);
			};
			const paged = await listRecords(counted, path, { ...list, retry }).catch(asFailure);
			if (!(paged instanceof Failure)) {
				this.hasSmallPages ||= requests > 1;
				this.paging = 'works';
				return paged;
			}
			if (!isTrial || paged.cause !== 'platform_error') throw paged;
		}
		const request = { method: 'GET', path, retry: list.retry } as const;
		const { records, lastPage = 0 } = readPage(request, await ask(request));
		// Several pages of the usual twenty (4.2) show that pages do work, so that it was another failure.
		this.paging = lastPage > 0 ? 'works' : 'broken';
		return this.paging === 'works' ? this.read(ask, jobId, list) : records;
	}
}
