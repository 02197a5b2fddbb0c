import { asFailure, Failure } from '../http/failure';
import { readPage } from '../http/jsonApi';
import { listRecords, type List } from '../http/paginate';
import type { ApiRequest, Ask } from '../http/ports';
import { pathTo } from '../http/path';
import type { Show } from '../records/simplify';

/** Reads the tasks of jobs, and remembers for the next job what page parameters did to the last. */
export class TaskReader {
	/** Results may move from page to page while a job runs, so its end is asked for first. */
	hasSmallPages = false;
	/** What the platform does with page parameters: section 4.2 says that they work, some answer 500. */
	private paging: 'untried' | 'works' | 'broken' = 'untried';

	/** `show`: what is shown of a registered person. */
	constructor(readonly show?: Show) {}

	/** The results of a job's tasks as the platform sends them. */
	async read(ask: Ask, jobId: string, list: List = {}, signal?: AbortSignal) {
		const path = pathTo`/jobs/${jobId}/tasks`;
		const pages = async (how: Partial<ApiRequest> = {}) => {
			let count = 0;
			const counted: Ask = (request) => {
				count += 1;
				return ask({ ...request, ...how });
			};
			const records = await listRecords(counted, path, list, signal);
			this.hasSmallPages ||= count > 1;
			return records;
		};
		if (this.paging === 'works') return pages();
		if (this.paging === 'untried') {
			// A failure may be the parameters' fault, so it is looked at before it is repeated.
			const paged = await pages({ once: true }).catch(asFailure);
			if (paged instanceof Failure && paged.reason !== 'platform_error') throw paged;
			if (!(paged instanceof Failure)) {
				this.paging = 'works';
				return paged;
			}
		}
		const request = { method: 'GET', path, deadline: list.deadline } as const;
		const { records, meta } = readPage(request, await ask(request));
		// Several pages of the usual twenty (4.2): pages do work, it was another failure.
		const isFirstOfMany = (meta?.lastPage ?? 0) > 0;
		this.paging = isFirstOfMany ? 'works' : 'broken';
		return isFirstOfMany ? pages() : records;
	}
}
