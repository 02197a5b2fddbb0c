import { againAfterMs } from '../http/patience';
import { nextReadMs, type JobState, type Progress } from '../jobs/jobState';
import type { TaskResult } from '../jobs/task';
import type { SentJob } from './ledger';

/** A job as far as reading it depends on what was read before. */
export type Readable = Readonly<Pick<OpenJob, 'id' | 'tasks' | 'processed' | 'isOver'>>;

export interface JobRead {
	processed: number;
	/** Absent: the job is not over. Fewer than its tasks: the list may lag behind the end. */
	results?: TaskResult[];
	/** The status was asked for. */
	state?: JobState;
}

/** Owns what is known of a job whose results are not known yet, and when it is read next. */
export class OpenJob {
	readonly id: string;
	readonly tasks: number;
	processed = 0;
	/** The platform said so. */
	isOver = false;
	/** How far it was when it was accepted, and at each read that went well. */
	private progress: readonly Progress[];
	/** When it is to be read again; absent until it has been read. */
	private readAt?: number;
	/** Failed reads in a row. */
	private failures = 0;
	/** Reads after the end that did not bring all results. */
	private shortReads = 0;

	constructor(
		readonly sent: SentJob,
		private readonly acceptedAt: number,
		private readonly firstReads: FirstReads,
	) {
		this.id = sent.id;
		this.tasks = sent.people.length;
		this.progress = [{ at: acceptedAt, processed: 0 }];
	}

	get wasRead(): boolean {
		return this.readAt !== undefined;
	}

	/** `reading`: how many reads are under way. */
	dueAt(reading: number): number {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, reading);
	}

	/** Takes in what a read found. True: there is nothing more to wait for. */
	found({ results, processed }: JobRead, now: number): boolean {
		const ageMs = now - this.acceptedAt;
		const isFirst = this.progress.length === 1;
		this.failures = 0;
		if (!results) {
			this.processed = Math.max(this.processed, processed);
			this.progress = [...this.progress, { at: now, processed: this.processed }];
			this.readAt = now + nextReadMs(this.progress, this.tasks);
			if (isFirst) this.firstReads.cameTooEarly(ageMs, this.processed / this.tasks, this.readAt);
			return false;
		}
		this.isOver = true;
		const isShort = results.length < this.tasks;
		const againMs = isShort ? againAfterMs('lateResults', (this.shortReads += 1)) : undefined;
		if (againMs === undefined) this.firstReads.sawEnd(ageMs, isFirst);
		else this.readAt = now + againMs;
		return againMs === undefined;
	}

	/** False: not worth another try. */
	failed(now: number, notBefore = 0): boolean {
		const againMs = againAfterMs('shipment', (this.failures += 1));
		if (againMs !== undefined) this.readAt = Math.max(notBefore, now + againMs);
		return againMs !== undefined;
	}
}

/** A guess until a job has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;
/** Two requests at the pace of section 8 are 400 ms apart: a shorter estimate changes nothing. */
const shortestMs = 100;

/** Owns when jobs are read first: how long they take is learned from those already read. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** First reads in a row that found the job over; below zero: that came too early. */
	private inTime = 0;
	private notBefore = 0;

	dueAt(acceptedAt: number, reading: number): number {
		// Two at once, in case one is never answered, and one more for each that came in time.
		if (reading >= Math.max(this.inTime, 0) + 2) return Infinity;
		return Math.max(this.notBefore, acceptedAt + this.expectedMs);
	}

	/** Until a job has been seen over, what its progress predicts is all there is. */
	cameTooEarly(ageMs: number, share: number, readAgainAt: number): void {
		const wholeMs = share > 0 ? ageMs / share : 2 * ageMs;
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.inTime = Math.min(this.inTime, 0) - 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.inTime < -1) this.notBefore = readAgainAt;
	}

	/**
	 * A job whose first read finds it over was over at any time before, so its age tells nothing when
	 * it is higher than expected; counting it would let the estimate only grow.
	 */
	sawEnd(ageMs: number, isFirst: boolean): void {
		if (!isFirst || ageMs < this.expectedMs) {
			const ms = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
			this.expectedMs = Math.max(shortestMs, ms);
		}
		this.isLearned = true;
		if (isFirst) this.inTime = Math.max(this.inTime, 0) + 1;
	}
}
