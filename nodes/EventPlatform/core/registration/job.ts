import { againAfterMs } from '../client/retryPolicy';
import type { JobState } from '../dialect/jobs';
import { pauseBeforeReadMs, readJobState, type TaskReader } from './jobRequests';
import { needsCounts } from './assign';
import { type TaskResult, readTaskResult } from './taskResult';
import type { PendingBatch, Batch, Candidate } from './candidate';
import type { FirstReads, DueTime, QueuedRequest } from './pace';
import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import type { PersonView } from '../records/recordView';
import type { JsonObject } from '../values/json';

export interface SentJob extends Batch, Record<'processed' | 'succeeded' | 'failed', number> {
	readonly id: string;
	readonly accepted: JobState;
	status: string;
}

export interface PlannedJob extends Batch {
	readonly status: 'planned';
}

export class Job implements SentJob, QueuedRequest, ReadableJob {
	readonly id: string;
	readonly sessionId: string;
	readonly people: readonly Candidate[];
	readonly lostAt?: number;
	status = 'processing';
	processed = 0;
	succeeded = 0;
	failed = 0;
	/** The state in which the platform said that the job is over. Absent: it has not said so yet. */
	stateWhenOver?: JobState;
	reachedTasks = 0;
	private readAt?: number;
	private hasBeenSeenRunning = false;
	failedReads = 0;
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

	/** Where the last job that was read for the first time was not over, this one will hardly be over. */
	get isProbablyRunning(): boolean {
		return this.firstReads.isTooEarly;
	}

	dueAt(readsUnderWay: number): DueTime {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, readsUnderWay);
	}

	recordState(state: JobState): void {
		this.processed = state.processed ?? this.processed;
		this.succeeded = state.succeeded ?? this.succeeded;
		this.failed = state.failed ?? this.failed;
		this.stateWhenOver = state.isFinal ? state : undefined;
		this.status = this.stateWhenOver?.status ?? this.status;
	}

	recordReading(reading: JobReading, nowMs: number): TaskResult[] | undefined {
		const ageMs = nowMs - this.acceptedAt;
		const isFirstRead = !this.hasBeenSeenRunning;
		const tasks = this.people.length;
		this.failedReads = 0;
		if (reading.state) this.recordState(reading.state);
		if (reading.kind === 'running') {
			const { processed } = reading;
			this.reachedTasks = processed;
			this.hasBeenSeenRunning = true;
			this.readAt = nowMs + pauseBeforeReadMs(ageMs);
			if (isFirstRead) this.firstReads.recordEarlyRead(ageMs, processed / tasks, this.readAt);
			return undefined;
		}
		const { results } = reading;
		if (results.length < tasks) {
			this.shortReads += 1;
			const waitMs = againAfterMs('lateResults', this.shortReads);
			if (waitMs !== undefined) {
				this.readAt = nowMs + waitMs;
				return undefined;
			}
		}
		this.firstReads.recordEnd(ageMs, isFirstRead);
		return results;
	}

	recordCounts(results: readonly TaskResult[]): void {
		this.processed = results.length;
		this.succeeded = results.filter(({ status }) => status === 'registered').length;
		this.failed = this.processed - this.succeeded;
		// Section 3.1 derives the status from the counts. A status that the platform has given itself stays.
		if (!this.stateWhenOver) this.status = this.failed > 0 ? 'failed' : 'ended';
	}

	recordFailedRead(failedReads: number, readAgainAt: number): this {
		this.failedReads = failedReads;
		this.readAt = readAgainAt;
		return this;
	}
}

interface RunningJob {
	readonly kind: 'running';
	readonly processed: number;
	readonly state?: JobState;
}

/** A job that is over, as its state says, and whose results are to be read. */
interface UnreadJob {
	readonly kind: 'unread';
	readonly state: JobState;
}

interface OverJob {
	readonly kind: 'over';
	readonly results: TaskResult[];
	readonly state?: JobState;
}

export type JobReading = RunningJob | OverJob;

interface ReadableJob {
	readonly id: string;
	readonly people: ReadonlyArray<Pick<Candidate, 'address'>>;
	readonly reachedTasks: number;
	readonly stateWhenOver?: JobState;
	readonly isProbablyRunning: boolean;
}

/** The run repeats a read that fails, so the client does not. */
const retry = 'onlyWhenRefused';

/** Reads the jobs of a run in as few requests as can be, and remembers for the next job whether the platform hides the results of a running one. */
export class JobReader {
	private hasHiddenEarlyResults = false;

	constructor(
		private readonly tasks: TaskReader,
		private readonly view: PersonView,
	) {}

	/**
	 * Reads a job once. The results are read first, because one result for each task proves the end. The status is read where the
	 * results show no progress, and instead of them where the platform will hardly show any yet.
	 */
	async read(job: ReadableJob, ask: Ask): Promise<JobReading | UnreadJob> {
		const { id, people, reachedTasks } = job;
		if (job.stateWhenOver) return await this.readResults(id, ask);
		const earlyTasks = this.mayShowResults(job)
			? await this.tasks.readEarly(ask, id, { retry })
			: [];
		const results = earlyTasks instanceof Failure ? [] : this.resultsIn(earlyTasks);
		const isComplete = results.length >= people.length && !this.tasks.hasSmallPages;
		if (isComplete && !needsCounts(people, results)) return { kind: 'over', results };
		if (!isComplete && results.length > reachedTasks) {
			return { kind: 'running', processed: results.length };
		}
		const state = await readJobState(ask, id, retry);
		if (isComplete) return { kind: 'over', results, state };
		if (state.isFinal) return { kind: 'unread', state };
		const processed = Math.max(reachedTasks, state.processed ?? 0);
		this.hasHiddenEarlyResults ||=
			earlyTasks instanceof Failure || (results.length === 0 && processed > 0);
		return { kind: 'running', processed, state };
	}

	async readResults(id: string, ask: Ask): Promise<OverJob> {
		return { kind: 'over', results: this.resultsIn(await this.tasks.read(ask, id, { retry })) };
	}

	/** A platform that hides the results until the end is asked for them only when a job is likely to be over. */
	private mayShowResults({ isProbablyRunning }: ReadableJob): boolean {
		return !this.tasks.hasSmallPages && !(this.hasHiddenEarlyResults && isProbablyRunning);
	}

	private resultsIn(tasks: readonly JsonObject[]): TaskResult[] {
		return tasks.flatMap((task) => readTaskResult(task, this.view) ?? []);
	}
}
