import type { Mechanism } from './mechanism';
import type { DueTime } from './queue';

/** How long a job is guessed to take until one has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/** Owns when jobs are read first: how long they take is learned from those already read. All times are in milliseconds. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** How many first reads in a row have found the job over, less those in a row that have not: only one of both is not 0. */
	private readsInTime = 0;
	/** Before then no job is read for the first time, because the last ones were not over. */
	private heldUntilAt = 0;

	constructor(private readonly without?: Mechanism) {}

	/** Tells when a job may be read that was accepted then, while so many reads are under way. */
	dueAt(acceptedAt: number, reading: number): DueTime {
		// Two are read at once, in case one gets no response, and one more for each that came in time.
		const mostReading = Math.max(this.readsInTime, 0) + 2;
		if (reading >= mostReading && this.without !== 'firstReadRamp') return 'afterAnotherRead';
		const expectedMs = this.without === 'learnedDuration' ? firstGuessMs : this.expectedMs;
		return Math.max(this.heldUntilAt, acceptedAt + expectedMs);
	}

	/** Whether the last job that was read for the first time was not over. */
	get isTooEarly(): boolean {
		return this.readsInTime < 0;
	}

	/** Records that a job was not over when it was first read. `share`: the part of its tasks that were processed, from 0 to 1. */
	recordEarlyRead(ageMs: number, share: number, readAgainAt: number): void {
		const wholeMs = share > 0 ? ageMs / share : 2 * ageMs;
		// Until a job was over when it was read, its progress alone predicts how long jobs take.
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.readsInTime = Math.min(this.readsInTime, 0) - 1;
		// One slow job may be chance. After two, the next ones would not be over either.
		if (this.readsInTime < -1 && this.without !== 'firstReadHold') this.heldUntilAt = readAgainAt;
	}

	/** Records that a job was over when it had this age. */
	recordEnd(ageMs: number, isFirst: boolean): void {
		// A first read shows only that the job was over by then. If a higher age counted, the estimate could only grow.
		if (!isFirst || ageMs < this.expectedMs) {
			this.expectedMs = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
		}
		this.isLearned = true;
		if (isFirst) this.readsInTime = Math.max(this.readsInTime, 0) + 1;
	}
}
