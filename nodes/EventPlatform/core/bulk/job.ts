import { againAfterMs } from '../client/retryPolicy';
import type { JobState } from '../dialect/jobs';
import { nextReadMs, type Progress } from '../jobs/nextRead';
import type { TaskResult } from '../jobs/taskResult';
import type { Batch, PendingBatch } from './batch';
import type { FirstReads } from './firstReads';
import type { JobReading, ReadableJob } from './jobReading';
import type { Mechanism } from './mechanism';
import type { DueTime, QueuedRequest } from './queue';

/** A job as people and workflows see it. */
export interface SentJob extends Batch, Record<'processed' | 'succeeded' | 'failed', number> {
	/** The ID that the platform has given it. */
	readonly id: string;
	/** A status of section 3.1. */
	status: string;
}

/** A job that a dry run would start. It has no ID yet. */
export interface PlannedJob extends Batch {
	readonly status: 'planned';
}

/** Owns what is known of a job, and when it is read next. */
export class Job implements SentJob, QueuedRequest, ReadableJob {
	readonly sessionId: string;
	readonly indexes: readonly number[];
	readonly lostAt?: number;
	/** The status and the counts are as last read, or as the results say. */
	status = 'processing';
	processed = 0;
	succeeded = 0;
	failed = 0;
	/** The state in which the platform said that the job is over; absent until it has. */
	final?: JobState;
	/** How far it was when it was accepted, and at each read that went well. */
	private progress: readonly Progress[];
	/** When it is to be read again; absent until it has been read. */
	private readAt?: number;
	/** How many reads in a row have failed. */
	failedReads = 0;
	/** How many reads after the end did not bring all results. */
	private shortReads = 0;

	constructor(
		readonly id: string,
		{ sessionId, indexes, lostAt }: PendingBatch,
		private readonly acceptedAt: number,
		private readonly firstReads: FirstReads,
		private readonly without?: Mechanism,
	) {
		this.sessionId = sessionId;
		this.indexes = indexes;
		this.lostAt = lostAt;
		this.progress = [{ readAt: acceptedAt, processed: 0 }];
	}

	get kind(): 'read' | 'readAgain' {
		return this.readAt === undefined ? 'read' : 'readAgain';
	}

	/** How many tasks were processed at the last read. */
	get reachedTasks(): number {
		return this.progress.at(-1)?.processed ?? 0;
	}

	/** Whether the job will hardly be over, because the last one that was read for the first time was not. */
	get isProbablyRunning(): boolean {
		return this.firstReads.isTooEarly;
	}

	dueAt(reading: number): DueTime {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, reading);
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
		const isFirst = this.progress.length === 1;
		const tasks = this.indexes.length;
		this.failedReads = 0;
		if (reading.state) this.recordState(reading.state);
		if (reading.kind === 'running') {
			const { processed } = reading;
			this.progress = [...this.progress, { readAt: now, processed }];
			this.readAt = now + nextReadMs(this.progress, tasks, this.without !== 'predictedEnd');
			if (isFirst) this.firstReads.recordEarlyRead(ageMs, processed / tasks, this.readAt);
			return undefined;
		}
		const { results } = reading;
		if (results.length < tasks) {
			this.shortReads += 1;
			const againMs = againAfterMs('lateResults', this.shortReads);
			if (againMs !== undefined) {
				this.readAt = now + againMs;
				return undefined;
			}
		}
		this.firstReads.recordEnd(ageMs, isFirst);
		return results;
	}

	/** Counts the results once the job is over. */
	recordResults(results: readonly TaskResult[]): void {
		this.processed = results.length;
		this.succeeded = results.filter(({ status }) => status === 'registered').length;
		this.failed = this.processed - this.succeeded;
		// Section 3.1 tells the status from the counts. What the platform has said itself stands.
		if (!this.final) this.status = this.failed > 0 ? 'failed' : 'ended';
	}

	/** Records that a read has failed, the nth in a row, and when the job may be read again. */
	recordFailedRead(failedReads: number, readAgainAt: number): this {
		this.failedReads = failedReads;
		this.readAt = readAgainAt;
		return this;
	}
}
