import { againAfterMs } from '../client/retryPolicy';
import { Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import type { Ask } from '../client/request';
import { readJobState, type JobState } from '../jobs/jobState';
import { nextReadMs, type Progress } from '../jobs/nextRead';
import { readTaskResult, type TaskResult } from '../jobs/taskResult';
import type { TaskReader } from '../jobs/taskReader';
import type { Batch, PendingBatch } from './batch';
import type { QueuedRequest } from './queue';
import type { FirstReads } from './firstReads';
import type { Mechanism } from './mechanism';

/** Owns what is known of a job, and when it is read next. */
export class Job implements SentJob, QueuedRequest {
	readonly sessionId: string;
	readonly people: readonly number[];
	readonly lostAt?: number;
	/** As last read or as its results say. */
	status = 'processing';
	processed = 0;
	succeeded = 0;
	failed = 0;
	/** As the platform said when it was over. */
	final?: JobState;
	/** How far it was when it was accepted, and at each read that went well. */
	private progress: readonly Progress[];
	/** When it is to be read again; absent until it has been read. */
	private readAt?: number;
	/** Reads in a row that failed. */
	tries = 0;
	/** Reads after the end that did not bring all results. */
	private shortReads = 0;

	constructor(
		readonly id: string,
		{ sessionId, people, lostAt }: PendingBatch,
		private readonly acceptedAt: number,
		private readonly firstReads: FirstReads,
		private readonly without?: Mechanism,
	) {
		this.sessionId = sessionId;
		this.people = people;
		this.lostAt = lostAt;
		this.progress = [{ at: acceptedAt, processed: 0 }];
	}

	get kind() {
		return this.readAt === undefined ? 'read' : 'readAgain';
	}

	/** So many tasks are processed, as its status or its results have shown. */
	get reachedTasks(): number {
		return this.progress.at(-1)?.processed ?? 0;
	}

	dueAt(reading: number): number {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, reading);
	}

	/**
	 * The results when it is over, which may lag behind and be fewer than its tasks; else how many are processed.
	 * Results are read first: one for every task proves the end. The status is asked for where they show no progress, and
	 * before them where they will hardly be there.
	 */
	async read(ask: Ask, tasks: TaskReader): Promise<TaskResult[] | number> {
		const { id, people, reachedTasks: reached } = this;
		if (this.final) return await readResults(id, ask, tasks);
		const early = this.mayShowResults(tasks) ? await tasks.readEarly(ask, id) : [];
		const results = early instanceof Failure ? [] : resultsIn(early, tasks);
		const isComplete = results.length >= people.length && !tasks.hasSmallPages;
		if (isComplete && !repeatsFailure(results)) return results;
		if (!isComplete && results.length > reached) return results.length;
		const state = await readJobState(ask, id);
		this.recordState(state);
		if (isComplete) return results;
		if (state.isFinal) return await readResults(id, ask, tasks);
		const processed = Math.max(reached, state.processed ?? 0);
		tasks.hidesEarly ||= early instanceof Failure || (results.length === 0 && processed > 0);
		return processed;
	}

	/** A platform that hides results until the end is asked for them only when a job is likely to be over. */
	private mayShowResults({ hasSmallPages, hidesEarly }: TaskReader): boolean {
		return !hasSmallPages && !(hidesEarly && this.firstReads.isTooEarly);
	}

	recordState(state: JobState): void {
		this.processed = state.processed ?? this.processed;
		this.succeeded = state.succeeded ?? this.succeeded;
		this.failed = state.failed ?? this.failed;
		this.final = state.isFinal ? state : undefined;
		this.status = this.final?.status ?? this.status;
	}

	/** Takes in what a read gave. Gives the results once there is nothing more to wait for. */
	recordReading(read: TaskResult[] | number, now: number): TaskResult[] | undefined {
		const ageMs = now - this.acceptedAt;
		const isFirst = this.progress.length === 1;
		const tasks = this.people.length;
		this.tries = 0;
		if (typeof read === 'number') {
			this.progress = [...this.progress, { at: now, processed: read }];
			this.readAt = now + nextReadMs(this.progress, tasks, this.without !== 'predictedEnd');
			if (isFirst) this.firstReads.recordEarlyRead(ageMs, read / tasks, this.readAt);
			return undefined;
		}
		const isShort = read.length < tasks;
		const againMs = isShort ? againAfterMs('lateResults', (this.shortReads += 1)) : undefined;
		if (againMs !== undefined) {
			this.readAt = now + againMs;
			return undefined;
		}
		this.firstReads.recordEnd(ageMs, isFirst);
		return read;
	}

	recordResults(results: readonly TaskResult[]): void {
		this.processed = results.length;
		this.succeeded = results.filter(({ status }) => status === 'registered').length;
		this.failed = this.processed - this.succeeded;
		// Section 3.1, unless the platform has said so itself.
		if (!this.final) this.status = this.failed > 0 ? 'failed' : 'ended';
	}

	/** A read has failed. */
	readAgainAt(tries: number, notBefore: number): this {
		this.tries = tries;
		this.readAt = notBefore;
		return this;
	}
}

/** The same failure twice may be one that stands instead of another result: the counts tell. */
function repeatsFailure(results: readonly TaskResult[]): boolean {
	const failures = results.filter(({ status }) => status === 'failed');
	return new Set(failures.map(({ errors }) => JSON.stringify(errors))).size < failures.length;
}

async function readResults(id: string, ask: Ask, tasks: TaskReader): Promise<TaskResult[]> {
	return resultsIn(await tasks.read(ask, id), tasks);
}

function resultsIn(rows: readonly JsonObject[], { view }: TaskReader): TaskResult[] {
	return rows.flatMap((row) => readTaskResult(row, view) ?? []);
}

/** A job as it is shown. */

export interface SentJob extends Batch, Record<'processed' | 'succeeded' | 'failed', number> {
	readonly id: string;
	/** Section 3.1. */
	status: string;
}
