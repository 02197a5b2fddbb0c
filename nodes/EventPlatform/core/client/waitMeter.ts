import type { Clock } from './clock';
import type { Usage } from './usage';

/** Counts waits and measures how long they take in all. Waits that overlap take their time once, because people wait for the longest of them. */
export class WaitMeter {
	/** How many waits are under way. */
	private waitingCount = 0;
	/** When the first of them began. */
	private beganAt = 0;
	/** How long the waits before took. */
	private pastWaitsMs = 0;

	/** `usage`: where the waits are written down. */
	constructor(
		private readonly clock: Pick<Clock, 'now'>,
		private readonly usage: Pick<Usage, 'waits' | 'waitedMs'>,
	) {}

	/** Carries out a wait, and measures it, also where it fails. */
	async measure<Result>(wait: () => Promise<Result>): Promise<Result> {
		if (this.waitingCount === 0) this.beganAt = this.clock.now();
		this.waitingCount += 1;
		this.usage.waits = (this.usage.waits ?? 0) + 1;
		try {
			return await wait();
		} finally {
			this.waitingCount -= 1;
			const sinceBeginMs = this.clock.now() - this.beganAt;
			this.usage.waitedMs = this.pastWaitsMs + sinceBeginMs;
			if (this.waitingCount === 0) this.pastWaitsMs += sinceBeginMs;
		}
	}
}
