import { countOf, thousands } from '../values/text';
import type { Ms, Seconds } from '../values/units';
import type { MonthlyQuota } from './quota';

/** What the requests of a run have cost so far, and what their responses have shown. It changes with each of them. */
export interface Usage {
	requests: number;
	/** How many of them got a response. A 5xx does not count: it says that the platform does not work. */
	responses: number;
	/**
	 * How far our clock is ahead of the platform's at most, by the date of each response. The least difference of the run is nearest to
	 * the truth, because a response that took its time makes our clock seem further ahead. Absent: no response had a date.
	 */
	clockAheadMs?: Ms;
	/** How often the platform asked to wait (429) and the client did. Absent: never. */
	waits?: number;
	/** What the platform last said of the month to any run with the token. */
	readonly month: MonthlyQuota;
	/** How many requests may leave in a second. */
	readonly perSecond: number;
}

/** The queue belongs to all runs with the token, and may have learned more by the time when somebody asks. */
export function beginUsage(queue: Pick<Usage, 'month' | 'perSecond'>): Usage {
	return {
		requests: 0,
		responses: 0,
		get perSecond() {
			return queue.perSecond;
		},
		get month() {
			return queue.month;
		},
	};
}

export interface Cost {
	requests: number;
	seconds: Seconds;
}

/** "202 requests, 41 s" */
export function describeCost({ requests, seconds }: Cost, separator = ', '): string {
	return [countOf(requests, 'request'), `${thousands(Math.round(seconds))} s`].join(separator);
}

/** Describes the waits: "The platform asked to wait 20 times (429)."; undefined where the platform never asked. */
export function describeWaits({ waits = 0 }: Pick<Usage, 'waits'>): string | undefined {
	if (waits === 0) return undefined;
	return `The platform asked to wait ${waits === 1 ? 'once' : `${thousands(waits)} times`} (429).`;
}
