import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { readJobState } from '../jobs/jobState';
import { type JobState } from '../dialect/jobs';
import type { TaskReader } from '../jobs/taskReader';
import { readTaskResult, type TaskResult } from '../jobs/taskResult';
import type { JsonObject } from '../values/json';

/** The state of a job, as one read has shown it. */
export type JobReading =
	| { kind: 'running'; processed: number }
	/** The results may lag behind the end, so that there are fewer than tasks. */
	| { kind: 'over'; results: TaskResult[] };

/** A job, as far as a read needs it. */
export interface ReadableJob {
	readonly id: string;
	readonly people: readonly number[];
	/** The number of processed tasks, as the status or the results of the job have shown. */
	readonly reachedTasks: number;
	/** The state in which the platform has said that the job is over; absent until then. */
	readonly final?: JobState;
	/** Whether the job will hardly be over, because the last one that was read for the first time was not. */
	readonly isProbablyRunning: boolean;
	recordState(state: JobState): void;
}

/**
 * Reads a job in as few requests as can be. The results are read first, because one for each task proves the end. The status is
 * read where they show no progress, and before them where they will hardly be there.
 */
export async function readOnce(job: ReadableJob, ask: Ask, tasks: TaskReader): Promise<JobReading> {
	const { id, people, reachedTasks } = job;
	if (job.final) return await readResults(id, ask, tasks);
	const early = mayShowResults(job, tasks) ? await tasks.readEarly(ask, id) : [];
	const results = early instanceof Failure ? [] : resultsIn(early, tasks);
	const isComplete = results.length >= people.length && !tasks.hasSmallPages;
	if (isComplete && !hasRepeatedFailure(results)) return { kind: 'over', results };
	if (!isComplete && results.length > reachedTasks) {
		return { kind: 'running', processed: results.length };
	}
	const state = await readJobState(ask, id);
	job.recordState(state);
	if (isComplete) return { kind: 'over', results };
	if (state.isFinal) return await readResults(id, ask, tasks);
	const processed = Math.max(reachedTasks, state.processed ?? 0);
	tasks.hasHiddenEarlyResults ||=
		early instanceof Failure || (results.length === 0 && processed > 0);
	return { kind: 'running', processed };
}

/** A platform that hides results until the end is asked for them only when a job is likely to be over. */
function mayShowResults(
	job: ReadableJob,
	{ hasSmallPages, hasHiddenEarlyResults }: TaskReader,
): boolean {
	return !hasSmallPages && !(hasHiddenEarlyResults && job.isProbablyRunning);
}

/** Whether two results are the same failure. Then it may stand instead of another result, so that the counts have to tell. */
function hasRepeatedFailure(results: readonly TaskResult[]): boolean {
	const failures = results.filter(({ status }) => status === 'failed');
	return new Set(failures.map(({ errors }) => JSON.stringify(errors))).size < failures.length;
}

async function readResults(id: string, ask: Ask, tasks: TaskReader): Promise<JobReading> {
	return { kind: 'over', results: resultsIn(await tasks.read(ask, id), tasks) };
}

function resultsIn(rows: readonly JsonObject[], { view }: TaskReader): TaskResult[] {
	return rows.flatMap((row) => readTaskResult(row, view) ?? []);
}
