import { backoffMs } from '../http/backoff';

/** How well the platform answers. A storm slows the run down, and ends it when it does not pass. */
export class Weather {
	private storms = 0;
	private lastTroubleAt = -Infinity;
	/** Nothing should be sent before. */
	calmAt = -Infinity;

	answered(): void {
		this.storms = 0;
		this.calmAt = -Infinity;
	}

	/** Requests that were on their way together and failed together are one trouble. */
	troubled(sentAt: number, now: number): void {
		if (sentAt < this.lastTroubleAt) return;
		this.storms += 1;
		this.lastTroubleAt = now;
		if (this.storms > 2) this.calmAt = now + backoffMs(this.storms - 2);
	}

	/** How many of so many requests may be under way at once. */
	most(inCalm: number): number {
		return this.storms === 0 ? inCalm : this.storms === 1 ? Math.ceil(inCalm / 4) : 1;
	}

	get isHopeless(): boolean {
		return this.storms >= 12;
	}
}
