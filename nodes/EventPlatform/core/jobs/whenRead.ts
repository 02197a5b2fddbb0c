/*
 * When a job is read, and how often. Most jobs of a run are read once.
 *
 *   first        when it is as old as the jobs before it have taken, and little else is being read (`FirstReads`)
 *   not over     again after as long as it has taken, up to half a minute (`pauseBeforeReadMs`). Jobs that were not read yet wait for that
 *   results lag  up to four times more once it is over (`lateResults`, client/patience.ts)
 *
 * What is read then, results or state, is a decision of JobReader (../registration/jobReader.ts). The operation Wait reads the state alone.
 */
import type { Ms } from '../values/units';

/** A job is guessed to take so long until one has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/**
 * Owns when jobs are read first: how long they take is learned from those already read, and they end in about the order in which they
 * were accepted. While one of them is not over the ones behind it are not asked for either:
 * otherwise 2,000 people cost 139 requests and not 99 where the platform works on one job after the other.
 */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** A job that was read too early is read again then, and those accepted after it not before. */
	private laterJobsDueAt = 0;
	/** How many jobs in a row were over when they were read first, the latest last: how far the guess of when a job is over can be trusted. */
	private inTimeInARow = 0;
	private hidesResults = false;

	/** Where a job that has just been read was not over, the next one will hardly be, and asking for hidden results would be wasted. */
	get asksForStateFirst(): boolean {
		return this.hidesResults && this.inTimeInARow === 0;
	}

	dueAt(acceptedAt: Ms, readsInFlight: number): Ms {
		// Two jobs are read at once, in case one read hangs, and one more for each in a row that came in time: where responses take four
		// seconds, 2,000 people would otherwise take 91 s and not 31 s.
		if (readsInFlight >= 2 + this.inTimeInARow) return Infinity;
		return Math.max(this.laterJobsDueAt, acceptedAt + this.expectedMs);
	}

	/** Records that the platform has hidden the results of a running job that had some. */
	recordHiddenResults(): void {
		this.hidesResults = true;
	}

	/** Records that a job was not over when it was first read. `share`: the part of its tasks that were done, from 0 to 1. */
	recordEarly(ageMs: Ms, share: number, readAgainAt: Ms): void {
		// As long as no job was over when it was read, progress alone predicts how long jobs take: without it, 2,000 people in jobs of five
		// minutes cost 178 requests and not 108. A job without any is guessed to be half done.
		const wholeMs = ageMs / (share > 0 ? share : 0.5);
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.inTimeInARow = 0;
		this.laterJobsDueAt = readAgainAt;
	}

	/** A first read shows only that the job was over by then. If a higher age counted, the estimate could only grow. */
	recordEnd(ageMs: Ms, isFirstRead: boolean): void {
		if (isFirstRead) this.inTimeInARow += 1;
		if (!isFirstRead || ageMs < this.expectedMs) this.expectedMs = ageMs;
		this.isLearned = true;
	}
}

const shortestPauseMs = 1_000;
const longestPauseOfReadsMs = 30_000;

/**
 * The pauses grow with the age of the job, so that it is read a few times only, and its end is noticed at the latest after twice its age and a
 * second, or half a minute late.
 */
export function pauseBeforeReadMs(ageMs: Ms): Ms {
	return Math.min(longestPauseOfReadsMs, shortestPauseMs + ageMs);
}
