import type { Ms } from './units';

/** How long ago something was. A time to come was told by a clock that has been set right since: it says nothing, and counts as long ago. */
export function ageMs(atMs: Ms, nowMs: Ms): Ms {
	return atMs <= nowMs ? nowMs - atMs : Infinity;
}

/** Counts how often something happened within the last minute, day or other span. */
export class RecentTimes {
	private times: Ms[] = [];

	constructor(private readonly spanMs: Ms) {}

	add(nowMs: Ms): void {
		this.times.push(nowMs);
	}

	countAt(nowMs: Ms): number {
		this.times = this.times.filter((atMs) => ageMs(atMs, nowMs) < this.spanMs);
		return this.times.length;
	}
}
