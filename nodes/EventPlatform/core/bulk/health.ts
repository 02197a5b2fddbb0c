import type { Failure } from '../client/failure';
import { againAfterMs } from '../client/retryPolicy';
import type { Mechanism } from './mechanism';

/** Where responses are this slow, so many requests are under way that the pace of section 8 is still used. */
const slowestResponseSeconds = 4;

/** The bounds of how many requests are under way at once, for a platform that allows very few or very many a second. */
const concurrencyLimits = { least: 8, most: 64 };

/** How many are under way until the first response: where that takes less than 0.8 s, the pace of section 8 allows no more. */
const mostBeforeResponse = 4;

/** A platform that has never responded is tried for so long: three times where it refuses to connect. */
const longestSilenceMs = 10_000;

/** Owns how well the platform responds, and so how many requests may be under way, and when. */
export class Health {
	private failuresInARow = 0;
	/** When the last failure was counted; absent: there was none. */
	private failedAt?: number;
	/** When the first request left that failed; absent: none has. */
	private firstFailureSentAt?: number;
	private hasResponded = false;
	/** The latest failure, as long as the platform has never responded. */
	unreached?: Failure;
	/** When requests leave again after the last ones failed; absent where nothing waits. */
	resumesAt?: number;

	constructor(private readonly without?: Mechanism) {}

	recordResponse(): void {
		this.hasResponded = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.resumesAt = undefined;
	}

	/** Records a failed request. Requests that were under way together and failed together count as one failure. */
	recordFailure(sentAt: number, now: number, failure: Failure): void {
		// A platform that refuses a request because there are too many is there.
		this.hasResponded ||= failure.cause === 'rate_limited';
		this.firstFailureSentAt = Math.min(this.firstFailureSentAt ?? sentAt, sentAt);
		this.unreached = this.hasResponded ? undefined : failure;
		if (this.failedAt !== undefined && sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		if (this.without === 'pauseAfterFailures') return;
		this.resumesAt = now + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	/** How many requests may be under way at once. */
	concurrency(perSecond: number): number {
		const needed = Math.ceil(slowestResponseSeconds * perSecond);
		const usual = Math.min(concurrencyLimits.most, Math.max(concurrencyLimits.least, needed));
		if (!this.hasResponded) return this.failuresInARow > 0 ? 1 : mostBeforeResponse;
		if (this.failuresInARow === 0 || this.without === 'concurrencyAfterFailures') return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / 4) : 1;
	}

	/** Whether the platform has failed for so long, or so often, that the run gives up. */
	get isHopeless(): boolean {
		const { unreached, failuresInARow, failedAt = 0, firstFailureSentAt = 0 } = this;
		const isSilent = unreached !== undefined && failedAt - firstFailureSentAt >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', failuresInARow) === undefined;
		return (isSilent && failuresInARow > 1) || isGivenUp;
	}
}
