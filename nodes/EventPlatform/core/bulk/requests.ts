import { Failure, type Cause } from '../http/failure';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { expectJob, type JobState } from '../jobs/jobState';
import { asTask, readTaskResult, type TaskReader, type TaskResult } from '../jobs/task';
import type { JobRead, Readable } from './openJobs';
import type { Candidate, Chunk } from './plan';

/** Sends people; gives their job. */
export async function submit(
	{ sessionId, people }: Chunk,
	candidates: readonly Candidate[],
	ask: Ask,
): Promise<JobState> {
	const tasks = people.flatMap((index) => candidates[index]?.wanted ?? []).map(asTask);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
	};
	// Repeating is left to the run: it has to know what may have arrived. And a 2xx without a job may
	// be one that nobody can ask about.
	return expectJob(request, await ask(request));
}

/**
 * Reads a job in as few requests as can be. The results are read first: a final result for every
 * task proves that the job is over. Only where they show no progress the status is asked for.
 */
export async function askForJob(job: Readable, ask: Ask, tasks: TaskReader): Promise<JobRead> {
	if (job.isOver) {
		const results = await readResults(job, ask, tasks);
		return { results, processed: results.length };
	}
	const early = tasks.hasSmallPages ? [] : await readResults(job, ask, tasks);
	const isComplete = early.length >= job.tasks && !tasks.hasSmallPages;
	if (isComplete && !repeatsFailure(early)) return { results: early, processed: job.tasks };
	if (!isComplete && early.length > job.processed) return { processed: early.length };
	const request = { method: 'GET', path: pathTo`/jobs/${job.id}` } as const;
	const state = expectJob(request, await ask(request));
	if (isComplete) return { results: early, processed: job.tasks, state };
	if (!state.isFinal) return { processed: Math.max(state.processed ?? 0, early.length), state };
	const results = await readResults({ ...job, isOver: true }, ask, tasks);
	return { results, processed: job.tasks, state };
}

/** The same failure twice may be one that stands in the place of another result: the counts tell. */
function repeatsFailure(results: readonly TaskResult[]): boolean {
	const failures = results
		.filter(({ status }) => status === 'failed')
		.map(({ errors }) => JSON.stringify(errors));
	return new Set(failures).size < failures.length;
}

async function readResults(
	{ id, isOver }: Readable,
	ask: Ask,
	tasks: TaskReader,
): Promise<TaskResult[]> {
	const rows = await tasks.read(ask, id).catch((error: unknown) => {
		// Some platforms have no results to show before the end.
		const isHidden = error instanceof Failure && noResults.has(error.reason);
		if (isHidden && !isOver) return [];
		throw error;
	});
	return rows
		.map((row) => readTaskResult(row, tasks.show))
		.filter((result) => result !== undefined);
}

const noResults: ReadonlySet<Cause> = new Set<Cause>(['not_found', 'page_out_of_range']);
