import { Failure, asFailure } from '../client/failure';
import { type ListOptions, listRecords } from '../client/pages';
import { readPage } from '../client/document';
import type { Ask } from '../client/request';
import { pathTo } from '../client/path';
import type { JsonObject } from '../values/json';
import { readJobState } from './jobState';
import type { Cause } from '../client/cause';

/** Reads the tasks of jobs, and remembers for the next job whether page parameters worked for the last one. */
export class TaskReader {
	/** Whether results come in several pages. They may move from page to page while a job runs, so the job has to be over before they are read. */
	hasSmallPages = false;
	/** Whether page parameters work, as section 4.2 has it. Some platforms respond to them with a 500. */
	private paging: 'untried' | 'works' | 'broken' = 'untried';

	/** Gives the results of a job that may not be over, or the failure that may mean that it is not. */
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

	/** Gives the results of a job: with page parameters, or without where the platform does not bear them. */
	async read(ask: Ask, jobId: string, list: ListOptions = {}): Promise<JsonObject[]> {
		const path = pathTo`/jobs/${jobId}/tasks`;
		if (this.paging !== 'broken') {
			// A failure may be the parameters' fault, so it is looked at before the request is repeated.
			const isTrial = this.paging === 'untried';
			const retry = isTrial ? 'onlyWhenRefused' : list.retry;
			let requests = 0;
			const countingAsk: Ask = (request) => {
				requests += 1;
				return ask(request);
			};
			const tasks = await listRecords(countingAsk, path, { ...list, retry }).catch(asFailure);
			if (!(tasks instanceof Failure)) {
				this.hasSmallPages ||= requests > 1;
				this.paging = 'works';
				return tasks;
			}
			if (!isTrial || tasks.cause !== 'platform_error') throw tasks;
		}
		const request = { method: 'GET', path, retry: list.retry } as const;
		const { records, lastPage = 0 } = readPage(request, await ask(request));
		// Where the results fill several pages of the usual twenty (4.2), pages do work, and the failure had another reason.
		this.paging = lastPage > 0 ? 'works' : 'broken';
		return this.paging === 'works' ? this.read(ask, jobId, list) : records;
	}
}

/** The causes of failures with 400, 404, 409, 422, 425 and the like, whatever the body says. */
const causesOfNotYet: readonly Cause[] = [
	'refused',
	'page_out_of_range',
	'not_found',
	'already_exists',
	'unprocessable',
	'incomplete_list',
];

/**
 * Tells whether a failed read of the results of a job may only mean that the job is not over. Nobody has written down what the
 * platform responds before the end, and where there is no result yet, even the first page may be one that does not exist (4.2).
 * Therefore before the end the status of the job decides. After it the list of results may lag behind.
 */
export function mayMeanNotYet({ cause, status = 0 }: Failure): boolean {
	const isWithoutList = cause === 'unexpected_shape' && status >= 200 && status < 300;
	return isWithoutList || causesOfNotYet.includes(cause);
}
