import { readTaskResult } from './taskResult';
import { Failure } from '../http/failure';
import { readPage } from '../http/jsonApi';
import { listRecords, type List } from '../http/paginate';
import type { Api, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';

/** The results of a job's tasks as the platform sends them. */
export async function readTasks(
	api: Api,
	jobId: string,
	list: List = {},
	signal?: AbortSignal,
): Promise<JsonObject[]> {
	const path = pathTo`/jobs/${jobId}/tasks`;
	const pages = (through: Api) => listRecords(through, path, list, signal);
	const paged = await pages(sendingOnce(api)).catch(unlessPlatformFailed);
	if (paged) return paged;
	// The platform once failed on any page parameter here; without one it sent everything.
	const request = { method: 'GET', path, deadline: list.deadline } as const;
	const { records, meta } = readPage(request, await api(request));
	return meta && meta.lastPage > 0 ? pages(api) : records;
}

function unlessPlatformFailed(error: unknown): undefined {
	if (error instanceof Failure && error.reason === 'platform_error') return undefined;
	throw error;
}

/** A failure may be the parameters' fault, so it is looked at before it is repeated. */
function sendingOnce(api: Api): Api {
	return Object.assign((request: Parameters<Api>[0]) => api({ ...request, once: true }), {
		usage: api.usage,
	});
}

/** What became of one person. */
export function taskRecord(task: JsonObject, jobId: string): JsonObject {
	const result = readTaskResult(task);
	return {
		status: result ? (result.succeeded ? 'succeeded' : 'failed') : (task.status ?? 'processing'),
		errors: (result?.errors ?? []).map(({ code, message }) => ({ code, message })),
		person: result?.person ?? null,
		job_id: jobId,
	};
}
