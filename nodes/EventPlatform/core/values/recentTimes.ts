import type { Ms, Seconds } from './units';

/**
 * How long ago something was, in the unit of both times. A time to come, told by a clock that was set back since, is as long ago as it is
 * ahead: so nothing is asked again only because of the clock, and nothing lasts more than twice as long as it may.
 */
export function ageOf<Time extends Ms | Seconds>(at: Time, now: Time): number {
	return Math.abs(now - at);
}

/** Counts how often something happened within the last minute, day or other span. */
export class RecentTimes {
	private times: Ms[] = [];

	constructor(private readonly spanMs: Ms) {}

	add(nowMs: Ms): void {
		this.times.push(nowMs);
	}

	countAt(nowMs: Ms): number {
		this.times = this.times.filter((atMs) => ageOf(atMs, nowMs) < this.spanMs);
		return this.times.length;
	}
}
