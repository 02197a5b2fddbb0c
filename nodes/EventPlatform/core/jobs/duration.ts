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

/** How far a job was when it was read. */
export interface Progress {
	at: number;
	processed: number;
}

const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * How long to wait before an unfinished job is read again. Progress between reads predicts the
 * end; without progress each pause is twice as long as the time since the last change.
 */
export function nextReadMs(reads: readonly Progress[], total = 50): number {
	const last = reads[reads.length - 1];
	const first = reads[0];
	if (!last || !first || last === first) return 2 * shortestPauseMs;
	const idleSince = reads.find(({ processed }) => processed >= last.processed) ?? last;
	if (idleSince !== last) return within(2 * (last.at - idleSince.at));
	const perTaskMs = (last.at - first.at) / (last.processed - first.processed);
	// A twentieth late costs less than one request too many.
	return within(1.05 * perTaskMs * Math.max(1, total - last.processed));
}

function within(ms: number): number {
	return Math.min(longestPauseMs, Math.max(shortestPauseMs, ms));
}
