import type { DueTime } from './queue';

/** A job is guessed to take so long until one has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/** First reads in a row that came out alike. */
interface Streak {
	/** `inTime`: the jobs were over. `early`: they were not. */
	readonly kind: 'inTime' | 'early';
	readonly reads: number;
}

/** Owns when jobs are read first: how long they take is learned from those already read. All times are in milliseconds. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** The latest first reads that came out alike. */
	private streak: Streak = { kind: 'inTime', reads: 0 };
	/** No job is read for the first time before then, because the last ones were not over when they were read. Absent: no read is held back. */
	private heldUntilAt?: number;

	/** Tells when a job may be read that was accepted at `acceptedAt`, while `readsUnderWay` other reads are under way. */
	dueAt(acceptedAt: number, readsUnderWay: number): DueTime {
		// Two jobs are read at once, in case one read gets no response, and one more for each read that came in time.
		const mostReads = this.streak.kind === 'inTime' ? this.streak.reads + 2 : 2;
		if (readsUnderWay >= mostReads) return 'afterAnotherRead';
		return Math.max(this.heldUntilAt ?? acceptedAt, acceptedAt + this.expectedMs);
	}

	/** Whether the last job that was read for the first time was not over. */
	get isTooEarly(): boolean {
		return this.streak.kind === 'early';
	}

	/** Records that a job was not over when it was first read. `share`: the part of its tasks that were processed, from 0 to 1. */
	recordEarlyRead(ageMs: number, share: number, readAgainAt: number): void {
		// A job that shows no progress is guessed to be half done.
		const wholeMs = ageMs / (share > 0 ? share : 0.5);
		// As long as no job was over when it was read, progress alone predicts how long jobs take.
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.streak = continued(this.streak, 'early');
		// One slow job may be chance. After two of them, the next jobs would not be over either.
		if (this.streak.reads > 1) this.heldUntilAt = readAgainAt;
	}

	/** Records that a job was over when it had this age. `isFirstRead`: whether it was read for the first time then. */
	recordEnd(ageMs: number, isFirstRead: boolean): void {
		// A first read shows only that the job was over by then. If a higher age counted, the estimate could only grow.
		if (!isFirstRead || ageMs < this.expectedMs) {
			this.expectedMs = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
		}
		this.isLearned = true;
		if (isFirstRead) this.streak = continued(this.streak, 'inTime');
	}
}

/** Gives the streak after another read that came out like this. */
function continued(streak: Streak, kind: Streak['kind']): Streak {
	return { kind, reads: streak.kind === kind ? streak.reads + 1 : 1 };
}
