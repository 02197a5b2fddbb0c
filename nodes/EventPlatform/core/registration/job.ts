import { againAfterMs } from '../client/retryPolicy';
import type { JobState } from '../dialect/jobs';
import { pauseBeforeReadMs, readJobState, type TaskReader } from './jobRequests';
import { type TaskResult, readTaskResult } from './taskResult';
import type { PendingBatch, Batch, Candidate } from './candidate';
import type { FirstReads, DueTime, QueuedRequest } from './pace';
import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import type { PersonView } from '../records/recordView';
import type { JsonObject } from '../values/json';

/** A job as people and workflows see it. */
export interface SentJob extends Batch, Record<'processed' | 'succeeded' | 'failed', number> {
	/** The ID that the platform has given it. */
	readonly id: string;
	/** The job as the platform accepted it. */
	readonly accepted: JobState;
	/** A status of section 3.1. */
	status: string;
}

/** A job that a dry run would start. It has no ID yet. */
export interface PlannedJob extends Batch {
	readonly status: 'planned';
}

/** Owns the facts that are known about a job, and decides when it is read next. */
export class Job implements SentJob, QueuedRequest, ReadableJob {
	readonly id: string;
	readonly sessionId: string;
	readonly people: readonly Candidate[];
	readonly lostAt?: number;
	/** The status, like the counts below, is as the job was last read, or as its results say. */
	status = 'processing';
	processed = 0;
	succeeded = 0;
	failed = 0;
	/** The state in which the platform said that the job is over. Absent: it has not said so yet. */
	final?: JobState;
	/** The number of tasks that were processed at the last read. */
	reachedTasks = 0;
	/** When the job is to be read again. Absent: it has not been read yet. */
	private readAt?: number;
	private hasBeenSeenRunning = false;
	/** The number of reads in a row that have failed. */
	failedReads = 0;
	/** The number of reads after the end of the job that did not bring all results. */
	private shortReads = 0;

	constructor(
		readonly accepted: JobState,
		{ sessionId, people, lostAt }: PendingBatch,
		private readonly acceptedAt: number,
		private readonly firstReads: FirstReads,
	) {
		this.id = accepted.id;
		this.sessionId = sessionId;
		this.people = people;
		this.lostAt = lostAt;
	}

	get kind(): 'read' | 'readAgain' {
		return this.readAt === undefined ? 'read' : 'readAgain';
	}

	/** Whether the job will hardly be over, because the last one that was read for the first time was not. */
	get isProbablyRunning(): boolean {
		return this.firstReads.isTooEarly;
	}

	dueAt(readsUnderWay: number): DueTime {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, readsUnderWay);
	}

	/** Records what the platform says of the whole job. */
	recordState(state: JobState): void {
		this.processed = state.processed ?? this.processed;
		this.succeeded = state.succeeded ?? this.succeeded;
		this.failed = state.failed ?? this.failed;
		this.final = state.isFinal ? state : undefined;
		this.status = this.final?.status ?? this.status;
	}

	/** Records what a read has shown. Gives the results once there is nothing more to wait for. */
	recordReading(reading: JobReading, now: number): TaskResult[] | undefined {
		const ageMs = now - this.acceptedAt;
		const isFirstRead = !this.hasBeenSeenRunning;
		const tasks = this.people.length;
		this.failedReads = 0;
		if (reading.state) this.recordState(reading.state);
		if (reading.kind === 'running') {
			const { processed } = reading;
			this.reachedTasks = processed;
			this.hasBeenSeenRunning = true;
			this.readAt = now + pauseBeforeReadMs(ageMs);
			if (isFirstRead) this.firstReads.recordEarlyRead(ageMs, processed / tasks, this.readAt);
			return undefined;
		}
		const { results } = reading;
		if (results.length < tasks) {
			this.shortReads += 1;
			const waitMs = againAfterMs('lateResults', this.shortReads);
			if (waitMs !== undefined) {
				this.readAt = now + waitMs;
				return undefined;
			}
		}
		this.firstReads.recordEnd(ageMs, isFirstRead);
		return results;
	}

	/** Counts the results once the job is over. */
	recordResults(results: readonly TaskResult[]): void {
		this.processed = results.length;
		this.succeeded = results.filter(({ status }) => status === 'registered').length;
		this.failed = this.processed - this.succeeded;
		// Section 3.1 derives the status from the counts. A status that the platform has given itself stays.
		if (!this.final) this.status = this.failed > 0 ? 'failed' : 'ended';
	}

	/** Records that a read has failed, how many have failed in a row, and when the job may be read again. */
	recordFailedRead(failedReads: number, readAgainAt: number): this {
		this.failedReads = failedReads;
		this.readAt = readAgainAt;
		return this;
	}
}

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
interface ReadableJob {
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
