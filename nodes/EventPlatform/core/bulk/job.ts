import { againAfterMs } from '../client/retryPolicy';
import type { JobState } from '../dialect/jobs';
import { pauseBeforeReadMs } from '../jobs/waitForJob';
import type { TaskResult } from '../jobs/taskResult';
import type { PendingBatch } from './batch';
import type { Batch, Candidate } from './candidate';
import type { FirstReads } from './firstReads';
import type { JobReading, ReadableJob } from './jobReading';
import type { DueTime, QueuedRequest } from './queue';

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
