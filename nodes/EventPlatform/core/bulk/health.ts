import type { Failure } from '../http/failure';
import { againAfterMs } from '../http/patience';

export const healthTuning = {
	/** One failure leaves a quarter of the requests under way, two leave one at a time: 2.3 requests per 50 people instead of 4.0 when the platform is down for 90 s. */
	slowsDown: true,
	/** From the third failure on nothing is sent for a while; otherwise twelve come within seconds. */
	pauses: true,
};

/** Until the first answer: where it takes less than 0.8 s, the pace of section 8 allows no more. */
const mostBeforeAnswer = 4;
/** A platform that has answered nothing yet is tried for so long: three times where it refuses to connect. */
const longestSilenceMs = 10_000;

/** How well the platform answers, and so how many requests may be under way at once, and when. */
export class Health {
	private failuresInARow = 0;
	private failedAt = -Infinity;
	private silentSince = Infinity;
	private hasAnswered = false;
	/** Why nothing was reached: the latest failure, as long as the platform has not answered at all. */
	unreached?: Failure;
	/** Nothing should be sent before. */
	pausedUntil = -Infinity;

	constructor(private readonly tuning = healthTuning) {}

	answered(): void {
		this.hasAnswered = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.pausedUntil = -Infinity;
	}

	/** Requests that were under way together and failed together are one failure. */
	failed(sentAt: number, now: number, failure: Failure): void {
		// A platform that refuses a request because there are too many is there.
		this.hasAnswered ||= failure.reason === 'rate_limited';
		this.silentSince = Math.min(this.silentSince, sentAt);
		this.unreached = this.hasAnswered ? undefined : failure;
		if (sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		if (this.tuning.pauses)
			this.pausedUntil = now + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	/** How many of so many requests may be under way at once. */
	concurrency(usual: number): number {
		if (!this.hasAnswered) return this.failuresInARow > 0 ? 1 : Math.min(usual, mostBeforeAnswer);
		if (this.failuresInARow === 0 || !this.tuning.slowsDown) return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / 4) : 1;
	}

	get isHopeless(): boolean {
		const isSilent = this.unreached && this.failedAt - this.silentSince >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', this.failuresInARow) === undefined;
		return (isSilent && this.failuresInARow > 1) || isGivenUp;
	}
}
