import { backoffMs } from '../http/backoff';

export const healthTuning = {
	/** One failure leaves a quarter of the requests under way, two leave one at a time: 2.3 requests per 50 people instead of 4.0 when the platform is down for 90 s. */
	slowsDown: true,
	/** From the third failure on nothing is sent for a while; otherwise twelve come within seconds. */
	pauses: true,
};

/** With the pauses between them, two minutes without an answer. */
const mostFailures = 12;

/** How well the platform answers, and so how many requests may be under way at once, and when. */
export class Health {
	private failuresInARow = 0;
	private failedAt = -Infinity;
	/** Nothing should be sent before. */
	pausedUntil = -Infinity;

	constructor(private readonly tuning = healthTuning) {}

	answered(): void {
		this.failuresInARow = 0;
		this.pausedUntil = -Infinity;
	}

	/** Requests that were under way together and failed together are one failure. */
	failed(sentAt: number, now: number): void {
		if (sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		if (this.failuresInARow > 2 && this.tuning.pauses) {
			this.pausedUntil = now + backoffMs(this.failuresInARow - 2);
		}
	}

	/** How many of so many requests may be under way at once. */
	concurrency(usual: number): number {
		if (this.failuresInARow === 0 || !this.tuning.slowsDown) return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / 4) : 1;
	}

	get isHopeless(): boolean {
		return this.failuresInARow >= mostFailures;
	}
}
