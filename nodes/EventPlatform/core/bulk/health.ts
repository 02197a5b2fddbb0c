import type { Failure } from '../client/failure';
import { againAfterMs } from '../client/retryPolicy';

/** As many requests are under way at once as it takes to use the limit of section 8 in full while each response takes so long. */
const slowestResponseSeconds = 4;

/** The bounds of how many requests are under way at once, for a platform that allows very few or very many a second. */
const concurrencyLimits = { least: 8, most: 64 };

/** After one failure the number of requests under way is divided by this. After more failures in a row only one is under way. */
const divisorAfterFailure = 4;

/** At most so many requests are under way until the first response. Where that takes less than 0.8 s, the limit of section 8 allows no more anyway. */
const mostBeforeResponse = 4;

/** A platform that has never responded is tried for so long, which is three attempts where it refuses to connect. */
const longestSilenceMs = 10_000;

/** Owns how well the platform responds, and so how many requests may be under way, and when. */
export class Health {
	/** The number of failures since the last response. */
	private failuresInARow = 0;
	/** When the last failure was counted. Absent: there was none. */
	private failedAt?: number;
	/** When the first request left that failed. Absent: none has failed. */
	private firstFailureSentAt?: number;
	private hasResponded = false;
	/** The latest failure, as long as the platform has never responded. Absent: it has responded, or nothing has failed. */
	unreached?: Failure;
	/** When requests leave again after the last ones failed. Absent: they need not wait. */
	resumesAt?: number;

	/** Records that the platform has responded, which ends the pause after failures. */
	recordResponse(): void {
		this.hasResponded = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.resumesAt = undefined;
	}

	/** Records a failed request. Requests that were under way together and failed together count as one failure. */
	recordFailure(sentAt: number, now: number, failure: Failure): void {
		// A platform that refuses a request because there are too many has responded.
		this.hasResponded ||= failure.cause === 'rate_limited';
		this.firstFailureSentAt = Math.min(this.firstFailureSentAt ?? sentAt, sentAt);
		this.unreached = this.hasResponded ? undefined : failure;
		// The request was already under way when the last failure was counted.
		if (this.failedAt !== undefined && sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		this.resumesAt = now + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	/** Gives the number of requests that may be under way at once. */
	concurrency(perSecond: number): number {
		const needed = Math.ceil(slowestResponseSeconds * perSecond);
		const usual = Math.min(concurrencyLimits.most, Math.max(concurrencyLimits.least, needed));
		if (!this.hasResponded) return this.failuresInARow > 0 ? 1 : mostBeforeResponse;
		if (this.failuresInARow === 0) return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / divisorAfterFailure) : 1;
	}

	/** Whether the platform has failed for so long, or so often, that the run gives up. */
	get isHopeless(): boolean {
		const { unreached, failuresInARow, failedAt = 0, firstFailureSentAt = 0 } = this;
		const isSilent = unreached !== undefined && failedAt - firstFailureSentAt >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', failuresInARow) === undefined;
		return (isSilent && failuresInARow > 1) || isGivenUp;
	}
}
