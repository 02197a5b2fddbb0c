import type { Ms } from './units';

/** Counts how often something happened within the last minute, day or other span. */
export class RecentTimes {
	private times: Ms[] = [];

	constructor(private readonly spanMs: Ms) {}

	add(nowMs: Ms): void {
		this.times.push(nowMs);
	}

	countAt(nowMs: Ms): number {
		// The clock may have been set back, so times to come are forgotten.
		this.times = this.times.filter((atMs) => atMs > nowMs - this.spanMs && atMs <= nowMs);
		return this.times.length;
	}
}
