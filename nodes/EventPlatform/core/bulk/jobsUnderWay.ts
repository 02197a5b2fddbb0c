import { backoffMs } from '../http/backoff';
import type { Watched } from './look';
import type { SentJob } from './person';
import type { Tempo } from './tempo';
import { nextLookMs, type Sight } from '../jobs/prediction';

/** A job whose results are not known yet. */
export interface OpenJob extends Watched {
	readonly sent: SentJob;
	readonly acceptedAt: number;
	/** When it was looked at and found unfinished. */
	sights: Sight[];
	lookAt: number;
	/** Looks in a row that came to nothing. */
	troubles: number;
}

/** Nobody is served by more jobs waiting on the platform than this. */
const mostUnseen = 300;
const mostLate = 150;

/** Jobs that run on the platform, and when to look at each. */
export class JobsUnderWay {
	/** Not looked at yet, in the order in which they were accepted. */
	private readonly unseen: OpenJob[] = [];
	/** Looked at, and not finished then. */
	private readonly late = new Set<OpenJob>();
	private readonly looking = new Set<OpenJob>();
	/** First looks in a row that came too early. */
	private earlyInARow = 0;
	/** First looks in a row that found the job finished: so many more may be under way at once. */
	private hitsInARow = 0;
	private unseenNotBefore = 0;

	constructor(
		private readonly tempo: Tempo,
		private readonly lastLookAt: number,
	) {}

	get size(): number {
		return this.unseen.length + this.late.size + this.looking.size;
	}

	add(sent: SentJob, now: number): void {
		const { id, people } = sent;
		this.unseen.push({
			id,
			tasks: people.length,
			sent,
			acceptedAt: now,
			looks: 0,
			processed: 0,
			isFinal: false,
			shortReads: 0,
			sights: [],
			lookAt: 0,
			troubles: 0,
		});
	}

	/**
	 * Enough jobs under way that one is always due when there is a turn for it, and that the last
	 * ones are over by the time the others are read: more would only wait longer.
	 */
	hasRoom(sending: number, perSecond: number): boolean {
		const wanted = 4 + Math.ceil(perSecond * 1.5 * (this.tempo.expectedMs(50) / 1_000 + 0.5));
		return this.unseen.length + sending < Math.min(wanted, mostUnseen) && this.late.size < mostLate;
	}

	/** A job to look at now. */
	take(now: number): OpenJob | undefined {
		const job = this.dueLate(now) ?? this.dueUnseen(now);
		if (job) this.looking.add(job);
		return job;
	}

	/** When the next look is due. */
	dueAt(): number {
		let at = this.unseenDueAt();
		for (const { lookAt } of this.late) at = Math.min(at, lookAt);
		return at;
	}

	unfinished(job: OpenJob, processed: number, now: number): void {
		const isFirst = job.looks === 0;
		if (isFirst) {
			this.earlyInARow += 1;
			this.hitsInARow = 0;
		}
		// One slow job is an accident, two mean that the platform is busy.
		const isBusy = this.earlyInARow > 1;
		if (isFirst) this.tempo.unfinished(now - job.acceptedAt, job.tasks, processed, isBusy);
		job.looks += 1;
		job.troubles = 0;
		job.processed = Math.max(job.processed, processed);
		if (job.sights.length === 0) job.sights.push({ at: job.acceptedAt, processed: 0 });
		job.sights = [...job.sights, { at: now, processed: job.processed }].slice(-6);
		// Over, but not all of its results are there yet.
		this.again(job, now, job.isFinal ? 1_000 : nextLookMs(job.sights, job.tasks));
		// The next ones would not be over either.
		if (isFirst && isBusy) this.unseenNotBefore = Math.min(job.lookAt, now + 30_000);
	}

	/** False: not worth another try. */
	troubled(job: OpenJob, now: number, notBefore = 0): boolean {
		job.troubles += 1;
		if (job.troubles >= 8) {
			this.looking.delete(job);
			return false;
		}
		this.again(job, now, Math.max(backoffMs(job.troubles), notBefore - now));
		return true;
	}

	finished(job: OpenJob, now: number): void {
		this.looking.delete(job);
		if (job.looks === 0) {
			this.earlyInARow = 0;
			this.hitsInARow += 1;
		}
		this.tempo.finished(now - job.acceptedAt, job.tasks, job.looks > 0);
	}

	/** Takes away all that nobody is looking at. */
	abandon(): OpenJob[] {
		const open = [...this.late, ...this.unseen.splice(0)];
		this.late.clear();
		return open;
	}

	/** And those whose look brought nothing in time. */
	abandonAll(): OpenJob[] {
		const open = [...this.looking, ...this.abandon()];
		this.looking.clear();
		return open;
	}

	private again(job: OpenJob, now: number, waitMs: number): void {
		this.looking.delete(job);
		job.lookAt = now + waitMs;
		// The last chance before time is over, unless it has just been looked at.
		const isTooLate = job.lookAt > this.lastLookAt;
		if (isTooLate && this.lastLookAt - now > 2_000) job.lookAt = this.lastLookAt;
		this.late.add(job);
	}

	private dueLate(now: number): OpenJob | undefined {
		let due: OpenJob | undefined;
		for (const job of this.late)
			if (job.lookAt <= now && job.lookAt < (due?.lookAt ?? Infinity)) due = job;
		if (due) this.late.delete(due);
		return due;
	}

	private dueUnseen(now: number): OpenJob | undefined {
		return this.unseenDueAt() <= now ? this.unseen.shift() : undefined;
	}

	private unseenDueAt(): number {
		const [first] = this.unseen;
		// What one look teaches is of use to the next; two at first, in case one is never answered.
		if (!first || this.looking.size > this.hitsInARow + 1) return Infinity;
		return Math.max(this.unseenNotBefore, first.acceptedAt + this.tempo.expectedMs(first.tasks));
	}
}
