import type { Mechanism } from './mechanism';

/** A guess until a job has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/** Owns when jobs are read first: how long they take is learned from those already read. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** First reads in a row that found the job over; below zero: that came too early. */
	private inTime = 0;
	private notBefore = 0;

	constructor(private readonly without?: Mechanism) {}

	dueAt(acceptedAt: number, reading: number): number {
		// Two at once, in case one is never answered, and one more for each that came in time.
		const mostReading = this.without === 'firstReadRamp' ? Infinity : Math.max(this.inTime, 0) + 2;
		if (reading >= mostReading) return Infinity;
		const expectedMs = this.without === 'learnedDuration' ? firstGuessMs : this.expectedMs;
		return Math.max(this.notBefore, acceptedAt + expectedMs);
	}

	/** Whether the last job that was read for the first time was not over. */
	get isTooEarly(): boolean {
		return this.inTime < 0;
	}

	recordEarlyRead(ageMs: number, share: number, readAgainAt: number): void {
		const wholeMs = share > 0 ? ageMs / share : 2 * ageMs;
		// Until a job has been seen over, what progress predicts is all there is.
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.inTime = Math.min(this.inTime, 0) - 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.inTime < -1 && this.without !== 'firstReadHold') this.notBefore = readAgainAt;
	}

	recordEnd(ageMs: number, isFirst: boolean): void {
		// A first read shows no more than that it was over by then: a higher age would let the estimate only grow.
		if (!isFirst || ageMs < this.expectedMs) {
			this.expectedMs = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
		}
		this.isLearned = true;
		if (isFirst) this.inTime = Math.max(this.inTime, 0) + 1;
	}
}
