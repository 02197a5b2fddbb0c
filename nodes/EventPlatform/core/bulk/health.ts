import type { Failure } from '../client/failure';
import { againAfterMs } from '../client/retryPolicy';
import type { Mechanism } from './mechanism';

/** Responses may be this slow at the pace of section 8 without leaving it unused. */
const slowestAnswerSeconds = 4;

/** Requests under way at once, on a platform that allows very few or very many a second. */
const limits = { least: 8, most: 64 };

/** Until the first answer: where it takes less than 0.8 s, the pace of section 8 allows no more. */
const mostBeforeAnswer = 4;

/** A platform that has answered nothing yet is tried for so long: three times where it refuses to connect. */
const longestSilenceMs = 10_000;

/** How well the platform answers, and so how many requests may be under way, and when. */
export class Health {
	private failuresInARow = 0;
	private failedAt = -Infinity;
	private silentSince = Infinity;
	private hasAnswered = false;
	/** Why nothing was reached: the latest failure, as long as the platform has not answered at all. */
	unreached?: Failure;
	pausedUntil = -Infinity;

	constructor(private readonly without?: Mechanism) {}

	recordAnswer(): void {
		this.hasAnswered = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.pausedUntil = -Infinity;
	}

	/** Requests that were under way together and failed together are one failure. */
	recordFailure(sentAt: number, now: number, failure: Failure): void {
		// A platform that refuses a request because there are too many is there.
		this.hasAnswered ||= failure.cause === 'rate_limited';
		this.silentSince = Math.min(this.silentSince, sentAt);
		this.unreached = this.hasAnswered ? undefined : failure;
		if (sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		if (this.without === 'pauseAfterFailures') return;
		this.pausedUntil = now + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	concurrency(perSecond: number): number {
		const wanted = Math.ceil(slowestAnswerSeconds * perSecond);
		const usual = Math.min(limits.most, Math.max(limits.least, wanted));
		if (!this.hasAnswered) return this.failuresInARow > 0 ? 1 : mostBeforeAnswer;
		if (this.failuresInARow === 0 || this.without === 'concurrencyAfterFailures') return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / 4) : 1;
	}

	get isHopeless(): boolean {
		const isSilent = this.unreached && this.failedAt - this.silentSince >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', this.failuresInARow) === undefined;
		return (isSilent && this.failuresInARow > 1) || isGivenUp;
	}
}
