import { againAfterMs } from '../http/patience';
import type { JobState } from '../jobs/jobState';
import type { TaskResult } from '../jobs/task';
import { nextReadMs, type Progress } from '../jobs/waiting';
import type { SentJob } from './ledger';

/** A job whose results are not known yet. Only `OpenJobs` changes it. */
export interface OpenJob {
	readonly id: string;
	readonly tasks: number;
	readonly sent: SentJob;
	readonly acceptedAt: number;
	processed: number;
	/** The platform said so. */
	isOver: boolean;
	/** How far it was when it was accepted, and at the last reads. */
	progress: Progress[];
	/** When it is to be read again; absent until it has been read. */
	readAt?: number;
	/** Failed reads in a row. */
	failures: number;
	/** Reads after the end that did not bring all results. */
	shortReads: number;
}

/** A job as far as reading it depends on what was read before. */
export type Readable = Readonly<Pick<OpenJob, 'id' | 'tasks' | 'processed' | 'isOver'>>;

export interface JobRead {
	processed: number;
	/** Absent: the job is not over. Fewer than its tasks: the list may lag behind the end. */
	results?: TaskResult[];
	/** The status was asked for. */
	state?: JobState;
}

/**
 * Jobs on the platform at once. A minute-long job needs about 150 to use the pace of five requests a
 * second; with 40, five thousand people take more than twice as long (`npm run bench -- bulk ablation`).
 */
const mostOpen = 300;

/** Owns the jobs that run on the platform, and when each is read. */
export class OpenJobs {
	/** In the order in which they were accepted. */
	readonly open = new Set<OpenJob>();
	/** Of these, those whose read is under way. */
	readonly reading = new Set<OpenJob>();
	private readonly duration = new JobDuration();
	/** First reads in a row that found the job over; below zero: that came too early. */
	private inTime = 0;
	private firstReadsNotBefore = 0;

	get size(): number {
		return this.open.size;
	}

	hasRoom(sending: number): boolean {
		return this.size + sending < mostOpen;
	}

	add(sent: SentJob, now: number): void {
		this.open.add({
			id: sent.id,
			tasks: sent.people.length,
			sent,
			acceptedAt: now,
			processed: 0,
			isOver: false,
			progress: [{ at: now, processed: 0 }],
			failures: 0,
			shortReads: 0,
		});
	}

	/** A job to read now; one that was read before goes first. */
	take(now: number): OpenJob | undefined {
		const { job } = [this.next(false), this.next(true)].find(({ at }) => at <= now) ?? {};
		if (job) this.reading.add(job);
		return job;
	}

	dueAt(): number {
		return Math.min(this.next(false).at, this.next(true).at);
	}

	/** Takes in what a read found. True: there is nothing more to wait for. */
	found(job: OpenJob, { results, processed }: JobRead, now: number): boolean {
		this.reading.delete(job);
		job.failures = 0;
		if (!results) {
			this.unfinished(job, processed, now);
			return false;
		}
		job.isOver = true;
		const againMs =
			results.length < job.tasks ? againAfterMs('lateResults', (job.shortReads += 1)) : undefined;
		if (againMs !== undefined) {
			job.readAt = now + againMs;
			return false;
		}
		this.finished(job, now);
		return true;
	}

	/** False: not worth another try. */
	failed(job: OpenJob, now: number, notBefore = 0): boolean {
		this.reading.delete(job);
		job.failures += 1;
		const againMs = againAfterMs('shipment', job.failures);
		if (againMs === undefined) this.open.delete(job);
		else job.readAt = Math.max(notBefore, now + againMs);
		return againMs !== undefined;
	}

	/** Takes away those that are not being read: all, or those of one session. */
	withdraw(sessionId?: string): OpenJob[] {
		const isMeant = ({ sent }: OpenJob) => sessionId === undefined || sent.sessionId === sessionId;
		const withdrawn = [...this.open].filter((job) => isMeant(job) && !this.reading.has(job));
		for (const job of withdrawn) this.open.delete(job);
		return withdrawn;
	}

	private unfinished(job: OpenJob, processed: number, now: number): void {
		job.processed = Math.max(job.processed, processed);
		const isFirst = job.progress.length === 1;
		job.progress = [...job.progress, { at: now, processed: job.processed }];
		job.readAt = now + nextReadMs(job.progress, job.tasks);
		if (!isFirst) return;
		this.duration.unfinished(now - job.acceptedAt, job.processed, job.tasks);
		this.inTime = Math.min(this.inTime, 0) - 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.inTime < -1) this.firstReadsNotBefore = job.readAt;
	}

	private finished(job: OpenJob, now: number): void {
		this.open.delete(job);
		const wasReadBefore = job.progress.length > 1;
		this.duration.finished(now - job.acceptedAt, wasReadBefore);
		if (!wasReadBefore) this.inTime = Math.max(this.inTime, 0) + 1;
	}

	/** The one whose first or later read is due first, and when. */
	private next(isFirstRead: boolean): { job?: OpenJob; at: number } {
		// Two at once, in case one is never answered, and one more for each that came in time.
		const most = Math.max(this.inTime, 0) + 2;
		const notBefore = this.reading.size < most ? this.firstReadsNotBefore : Infinity;
		const next: { job?: OpenJob; at: number } = { at: Infinity };
		for (const job of this.open) {
			const { readAt, acceptedAt } = job;
			if (this.reading.has(job) || (readAt === undefined) !== isFirstRead) continue;
			const at = readAt ?? Math.max(notBefore, acceptedAt + this.duration.expectedMs);
			if (at < next.at) Object.assign(next, { job, at });
		}
		return next;
	}
}

/** A guess until a job has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;
/** Two requests at the pace of section 8 are 400 ms apart: a shorter estimate changes nothing. */
const shortestMs = 100;

/** How long a job takes, learned from those already read: when the first read of the next is due. */
export class JobDuration {
	private ms = firstGuessMs;
	private isLearned = false;

	get expectedMs(): number {
		return this.ms;
	}

	/** Read too early. Until a job has been seen over, what its progress predicts is all there is. */
	unfinished(ageMs: number, processed: number, tasks: number): void {
		const wholeMs = processed > 0 ? (ageMs * tasks) / processed : 2 * ageMs;
		if (!this.isLearned) this.ms = Math.max(this.ms, wholeMs);
	}

	/**
	 * Read and over. A job whose first read finds it over was over at any time before, so its age
	 * tells nothing when it is higher than expected; counting it would let the estimate only grow.
	 */
	finished(ageMs: number, wasReadBefore: boolean): void {
		if (wasReadBefore || ageMs < this.ms) {
			this.ms = Math.max(shortestMs, this.isLearned ? (this.ms + ageMs) / 2 : ageMs);
		}
		this.isLearned = true;
	}
}
