import { backoffMs } from '../http/backoff';
import { JobDuration } from '../jobs/duration';
import type { JobState } from '../jobs/jobState';
import { nextReadMs, type Progress } from '../jobs/nextRead';
import type { TaskResult } from '../jobs/taskResult';
import type { SentJob } from './outcomes';

/** A job as far as reading it depends on what was read before. */
export interface Readable {
	readonly id: string;
	readonly tasks: number;
	readonly processed: number;
	/** The platform said so. */
	readonly isOver: boolean;
}

/** What a read found. */
export interface Found {
	processed: number;
	/** Absent: the job is not over. Fewer than its tasks: the list may lag behind the end. */
	results?: TaskResult[];
	/** The status was asked for. */
	state?: JobState;
}

/** A job whose results are not known yet. Only `OpenJobs` changes it. */
export interface OpenJob extends Readable {
	readonly sent: SentJob;
	readonly acceptedAt: number;
}

interface Watched extends OpenJob {
	processed: number;
	isOver: boolean;
	/** How far it was when it was accepted, and at the last reads. */
	progress: Progress[];
	/** When it is to be read again. */
	readAt: number;
	/** Failed reads in a row. */
	failures: number;
	/** Reads after the end that did not bring all results. */
	shortReads: number;
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

/** Half a second, one, two … between them: a minute. */
const mostFailures = 8;
/** A list that lags behind the end of its job has fifteen seconds: 1, 2, 4 and 8 between them. */
const mostShortReads = 5;
const longestHoldMs = 30_000;

/** Owns the jobs that run on the platform, and when each is read. */
export class OpenJobs {
	/** In the order in which they were accepted. */
	private unread: Watched[] = [];
	/** Read, and not over then. */
	private readonly late = new Set<Watched>();
	private readonly reading = new Set<OpenJob>();
	private readonly duration: ReturnType<AwaitTuning['duration']>;
	/** First reads in a row that came too early. */
	private earlyInARow = 0;
	/** First reads in a row that found the job over: so many more may be under way at once. */
	private overInARow = 0;
	private unreadNotBefore = 0;

	constructor(private readonly tuning = awaitTuning) {
		this.duration = tuning.duration();
	}

	get size(): number {
		return this.unread.length + this.late.size + this.reading.size;
	}

	hasRoom(sending: number): boolean {
		return this.size + sending < this.tuning.mostOpen;
	}

	add(sent: SentJob, now: number): void {
		this.unread.push({
			id: sent.id,
			tasks: sent.people.length,
			sent,
			acceptedAt: now,
			processed: 0,
			isOver: false,
			progress: [{ at: now, processed: 0 }],
			readAt: 0,
			failures: 0,
			shortReads: 0,
		});
	}

	/** A job to read now. */
	take(now: number): OpenJob | undefined {
		const job = this.dueLate(now) ?? (this.unreadDueAt() <= now ? this.unread.shift() : undefined);
		if (job) this.reading.add(job);
		return job;
	}

	/** When the next read is due. */
	dueAt(): number {
		let at = this.unreadDueAt();
		for (const { readAt } of this.late) at = Math.min(at, readAt);
		return at;
	}

	/** Takes in what a read found. True: there is nothing more to wait for. */
	found(taken: OpenJob, { results, processed }: Found, now: number): boolean {
		const job = taken as Watched;
		job.failures = 0;
		if (!results) {
			this.unfinished(job, processed, now);
			return false;
		}
		job.isOver = true;
		if (results.length < job.tasks && (job.shortReads += 1) < mostShortReads) {
			this.readAgain(job, now + 2 * backoffMs(job.shortReads));
			return false;
		}
		this.finished(job, now);
		return true;
	}

	/** False: not worth another try. */
	failed(taken: OpenJob, now: number, notBefore = 0): boolean {
		const job = taken as Watched;
		job.failures += 1;
		if (job.failures < mostFailures) {
			this.readAgain(job, Math.max(now + backoffMs(job.failures), notBefore));
			return true;
		}
		this.reading.delete(job);
		return false;
	}

	/** Takes away those that are not being read: all, or those of one session. */
	withdraw(sessionId?: string): OpenJob[] {
		const isMeant = ({ sent }: OpenJob) => sessionId === undefined || sent.sessionId === sessionId;
		const open = [...this.late, ...this.unread].filter(isMeant);
		for (const job of open) this.late.delete(job);
		this.unread = this.unread.filter((job) => !isMeant(job));
		return open;
	}

	/** And those whose read brought nothing in time. */
	withdrawAll(): OpenJob[] {
		const open = [...this.reading, ...this.withdraw()];
		this.reading.clear();
		return open;
	}

	private unfinished(job: Watched, processed: number, now: number): void {
		job.processed = Math.max(job.processed, processed);
		const isFirst = job.progress.length === 1;
		job.progress = [...job.progress, { at: now, processed: job.processed }].slice(-6);
		this.readAgain(job, now + this.tuning.nextReadMs(job.progress, job.tasks));
		if (!isFirst) return;
		this.duration.unfinished(now - job.acceptedAt, job.processed, job.tasks);
		this.overInARow = 0;
		this.earlyInARow += 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.earlyInARow > 1 && this.tuning.holdsFirstReads) {
			this.unreadNotBefore = Math.min(job.readAt, now + longestHoldMs);
		}
	}

	private finished(job: Watched, now: number): void {
		this.reading.delete(job);
		const wasReadBefore = job.progress.length > 1;
		this.duration.finished(now - job.acceptedAt, wasReadBefore);
		if (wasReadBefore) return;
		this.earlyInARow = 0;
		this.overInARow += 1;
	}

	private readAgain(job: Watched, at: number): void {
		this.reading.delete(job);
		job.readAt = at;
		this.late.add(job);
	}

	private dueLate(now: number): Watched | undefined {
		let due: Watched | undefined;
		for (const job of this.late)
			if (job.readAt <= now && job.readAt < (due?.readAt ?? Infinity)) due = job;
		if (due) this.late.delete(due);
		return due;
	}

	private unreadDueAt(): number {
		const [first] = this.unread;
		// Two at first, in case one is never answered.
		const most = this.tuning.startsWithFewReads ? this.overInARow + 2 : Infinity;
		if (!first || this.reading.size >= most) return Infinity;
		return Math.max(this.unreadNotBefore, first.acceptedAt + this.duration.expectedMs);
	}
}
