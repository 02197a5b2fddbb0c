import { backoffMs } from '../http/backoff';
import { JobDuration } from '../jobs/duration';
import type { JobState } from '../jobs/jobState';
import { nextReadMs, type Progress } from '../jobs/nextRead';
import type { TaskResult } from '../jobs/taskResult';
import { nextTryAt } from './health';
import type { SentJob } from './outcomes';

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

/** What a read found. */
export interface Found {
	processed: number;
	/** Absent: the job is not over. Fewer than its tasks: the list may lag behind the end. */
	results?: TaskResult[];
	/** The status was asked for. */
	state?: JobState;
}

/** How jobs are awaited; `npm run bench -- bulk ablation` shows what each part is worth. */
export interface AwaitTuning {
	/**
	 * Jobs on the platform at once. At five requests a second a minute-long job needs about 150 to
	 * use the pace: with 40, five thousand people take 200 s instead of 90.
	 */
	mostOpen: number;
	/** Few first reads at once until they come in time: 3.8 requests per 50 people instead of 9.3. */
	startsWithFewReads: boolean;
	/** After two that came too early the others wait for one of these jobs: 3.8 instead of 8.8. */
	holdsFirstReads: boolean;
	duration: () => Pick<JobDuration, 'expectedMs' | 'unfinished' | 'finished'>;
	nextReadMs: typeof nextReadMs;
}

export const awaitTuning: AwaitTuning = {
	mostOpen: 300,
	startsWithFewReads: true,
	holdsFirstReads: true,
	duration: () => new JobDuration(),
	nextReadMs,
};

/** A list that lags behind the end of its job has fifteen seconds: 1, 2, 4 and 8 between them. */
const mostShortReads = 5;
const longestHoldMs = 30_000;

/** Owns the jobs that run on the platform, and when each is read. */
export class OpenJobs {
	/** In the order in which they were accepted. */
	private readonly open = new Set<OpenJob>();
	/** Of these, those whose read is under way. */
	readonly reading = new Set<OpenJob>();
	private readonly duration: ReturnType<AwaitTuning['duration']>;
	/** First reads in a row that came too early. */
	private earlyInARow = 0;
	/** First reads in a row that found the job over: so many more may be under way at once. */
	private overInARow = 0;
	private firstReadsNotBefore = 0;

	constructor(private readonly tuning = awaitTuning) {
		this.duration = tuning.duration();
	}

	get size(): number {
		return this.open.size;
	}

	hasRoom(sending: number): boolean {
		return this.size + sending < this.tuning.mostOpen;
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

	/** When the next read is due. */
	dueAt(): number {
		return Math.min(this.next(false).at, this.next(true).at);
	}

	/** Takes in what a read found. True: there is nothing more to wait for. */
	found(job: OpenJob, { results, processed }: Found, now: number): boolean {
		this.reading.delete(job);
		job.failures = 0;
		if (!results) {
			this.unfinished(job, processed, now);
			return false;
		}
		job.isOver = true;
		if (results.length < job.tasks && (job.shortReads += 1) < mostShortReads) {
			job.readAt = now + 2 * backoffMs(job.shortReads);
			return false;
		}
		this.finished(job, now);
		return true;
	}

	/** False: not worth another try. */
	failed(job: OpenJob, now: number, notBefore?: number): boolean {
		this.reading.delete(job);
		job.failures += 1;
		job.readAt = nextTryAt(job.failures, now, notBefore);
		if (job.readAt === undefined) this.open.delete(job);
		return job.readAt !== undefined;
	}

	/** Takes away those that are not being read: all, or those of one session. */
	withdraw(sessionId?: string): OpenJob[] {
		return this.remove(
			(job) =>
				!this.reading.has(job) && (sessionId === undefined || job.sent.sessionId === sessionId),
		);
	}

	/** And those whose read brought nothing in time. */
	withdrawAll(): OpenJob[] {
		return this.remove(() => true);
	}

	private remove(isMeant: (job: OpenJob) => boolean): OpenJob[] {
		const removed = [...this.open].filter(isMeant);
		for (const job of removed) this.open.delete(job);
		return removed;
	}

	private unfinished(job: OpenJob, processed: number, now: number): void {
		job.processed = Math.max(job.processed, processed);
		const isFirst = job.progress.length === 1;
		job.progress = [...job.progress, { at: now, processed: job.processed }].slice(-6);
		job.readAt = now + this.tuning.nextReadMs(job.progress, job.tasks);
		if (!isFirst) return;
		this.duration.unfinished(now - job.acceptedAt, job.processed, job.tasks);
		this.overInARow = 0;
		this.earlyInARow += 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.earlyInARow > 1 && this.tuning.holdsFirstReads) {
			this.firstReadsNotBefore = Math.min(job.readAt, now + longestHoldMs);
		}
	}

	private finished(job: OpenJob, now: number): void {
		this.open.delete(job);
		const wasReadBefore = job.progress.length > 1;
		this.duration.finished(now - job.acceptedAt, wasReadBefore);
		if (wasReadBefore) return;
		this.earlyInARow = 0;
		this.overInARow += 1;
	}

	/** The one whose first or later read is due first, and when. */
	private next(isFirstRead: boolean): { job?: OpenJob; at: number } {
		// Two first reads at once at first, in case one is never answered.
		const most = this.tuning.startsWithFewReads ? this.overInARow + 2 : Infinity;
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
