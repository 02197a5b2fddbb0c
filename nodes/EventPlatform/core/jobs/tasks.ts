import { Failure } from '../http/failure';
import { readPage } from '../http/jsonApi';
import { listRecords, type List } from '../http/paginate';
import type { Ask, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import type { Show } from '../records/simplify';

/** What a platform does with page parameters here: section 4.2 says that they work, some answer 500. */
export type Paging = 'untried' | 'works' | 'broken';

/** Reads the tasks of jobs, and remembers for the next job what page parameters did to the last. */
export class TaskReader {
	/** Results may move from page to page while a job runs, so its end is asked for first. */
	hasSmallPages = false;
	private paging: Paging = 'untried';

	/** `show`: what is shown of a registered person. */
	constructor(readonly show?: Show) {}

	/** The results of a job's tasks as the platform sends them. */
	async read(ask: Ask, jobId: string, list: List = {}, signal?: AbortSignal) {
		const path = pathTo`/jobs/${jobId}/tasks`;
		const pages = async (through: Ask) => {
			let count = 0;
			const counted: Ask = async (request) => {
				const answer = await through(request);
				count += 1;
				return answer;
			};
			const records = await listRecords(counted, path, list, signal);
			this.hasSmallPages ||= count > 1;
			return records;
		};
		if (this.paging === 'works') return pages(ask);
		if (this.paging === 'untried') {
			// A failure may be the parameters' fault, so it is looked at before it is repeated.
			const paged = await pages((request) => ask({ ...request, once: true })).catch(
				unlessPlatformFailed,
			);
			if (paged) {
				this.paging = 'works';
				return paged;
			}
		}
		const request = { method: 'GET', path, deadline: list.deadline } as const;
		const { records, meta } = readPage(request, await ask(request));
		// Several pages of the usual twenty (4.2): pages do work, it was another failure.
		const isFirstOfMany = (meta?.lastPage ?? 0) > 0;
		this.paging = isFirstOfMany ? 'works' : 'broken';
		return isFirstOfMany ? pages(ask) : records;
	}
}

/** The results of one job's tasks. */
export function readTasks(
	ask: Ask,
	jobId: string,
	list?: List,
	signal?: AbortSignal,
): Promise<JsonObject[]> {
	return new TaskReader().read(ask, jobId, list, signal);
}

function unlessPlatformFailed(error: unknown): undefined {
	if (error instanceof Failure && error.reason === 'platform_error') return undefined;
	throw error;
}
