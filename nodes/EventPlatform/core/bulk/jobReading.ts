import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { readJobState } from '../jobs/jobState';
import { type JobState } from '../dialect/jobs';
import type { TaskReader } from '../jobs/taskReader';
import { readTaskResult, type TaskResult } from '../jobs/taskResult';
import type { PersonView } from '../records/personView';
import type { JsonObject } from '../values/json';

/** A job that is not over, as one read has shown it. */
interface RunningJob {
	readonly kind: 'running';
	/** The number of its processed tasks. */
	readonly processed: number;
	/** Its state, where the platform was asked for it. */
	readonly state?: JobState;
}

/** A job that is over, as the platform has just said, and whose results are still to be read. */
interface EndedJob {
	readonly kind: 'ended';
	readonly state: JobState;
}

/** A job whose results were read. They may lag behind its end, so that there are fewer results than tasks. */
interface FinishedJob {
	readonly kind: 'over';
	readonly results: TaskResult[];
	/** Its state, where the platform was asked for it. */
	readonly state?: JobState;
}

/** The state of a job, as its reads have shown it. */
export type JobReading = RunningJob | FinishedJob;

/** A job, as far as a read needs it. */
export interface ReadableJob {
	/** The ID that the platform has given it. */
	readonly id: string;
	/** Its people, one for each of its tasks. */
	readonly people: readonly unknown[];
	/** The number of processed tasks, as the status or the results of the job have shown. */
	readonly reachedTasks: number;
	/** The state in which the platform has said that the job is over. Absent: it has not said so yet. */
	readonly final?: JobState;
	/** Whether the job will hardly be over, because the last one that was read for the first time was not. */
	readonly isProbablyRunning: boolean;
}

/** The run repeats a read that fails, so the client does not. */
const retry = 'onlyWhenRefused';

/** Reads the jobs of a run in as few requests as can be, and remembers for the next job whether the platform hides the results of a running one. */
export class JobReader {
	/** Whether the platform has hidden results of a job that was not over. */
	private hasHiddenEarlyResults = false;

	constructor(
		private readonly tasks: TaskReader,
		private readonly view: PersonView,
	) {}

	/**
	 * Reads a job once. The results are read first, because one result for each task proves the end. The status is read where the
	 * results show no progress, and instead of them where the platform will hardly show any yet.
	 */
	async read(job: ReadableJob, ask: Ask): Promise<JobReading | EndedJob> {
		const { id, people, reachedTasks } = job;
		if (job.final) return await this.readResults(id, ask);
		const earlyTasks = this.mayShowResults(job)
			? await this.tasks.readEarly(ask, id, { retry })
			: [];
		const results = earlyTasks instanceof Failure ? [] : this.resultsIn(earlyTasks);
		const isComplete = results.length >= people.length && !this.tasks.hasSmallPages;
		if (isComplete && !hasRepeatedFailure(results)) return { kind: 'over', results };
		if (!isComplete && results.length > reachedTasks) {
			return { kind: 'running', processed: results.length };
		}
		const state = await readJobState(ask, id, retry);
		if (isComplete) return { kind: 'over', results, state };
		if (state.isFinal) return { kind: 'ended', state };
		const processed = Math.max(reachedTasks, state.processed ?? 0);
		this.hasHiddenEarlyResults ||=
			earlyTasks instanceof Failure || (results.length === 0 && processed > 0);
		return { kind: 'running', processed, state };
	}

	/** Reads the results of a job that is over, as the platform has said. */
	async readResults(id: string, ask: Ask): Promise<FinishedJob> {
		return { kind: 'over', results: this.resultsIn(await this.tasks.read(ask, id, { retry })) };
	}

	/** Whether the results may be read now. A platform that hides them until the end is asked for them only when a job is likely to be over. */
	private mayShowResults({ isProbablyRunning }: ReadableJob): boolean {
		return !this.tasks.hasSmallPages && !(this.hasHiddenEarlyResults && isProbablyRunning);
	}

	/** Reads the results of the tasks that are finished. */
	private resultsIn(tasks: readonly JsonObject[]): TaskResult[] {
		return tasks.flatMap((task) => readTaskResult(task, this.view) ?? []);
	}
}

/** Whether two results are the same failure. The second one may then stand in place of another result, so that the counts of the job have to be read. */
function hasRepeatedFailure(results: readonly TaskResult[]): boolean {
	const failures = results.filter(({ status }) => status === 'failed');
	return new Set(failures.map(({ reasons }) => JSON.stringify(reasons))).size < failures.length;
}
