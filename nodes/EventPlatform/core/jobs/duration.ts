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
