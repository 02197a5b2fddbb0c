import type { Clock } from './clock';
import type { ConsumptionRate } from './consumption';

/** What the requests of a run have cost so far, and what their responses have shown. It changes with each of them. */
export interface Usage {
	requests: number;
	/** How many of them were answered, with whatever status. */
	responses: number;
	/**
	 * How far our clock is ahead of the platform's at most, by the date of each response. The least difference of the run is nearest to
	 * the truth, because a response that took its time makes our clock seem further ahead. Absent: no response had a date.
	 */
	clockAheadMs?: number;
	/** How often the platform asked to wait (429) and the client did. Absent: never. */
	waits?: number;
	/** How long that took in all, in milliseconds; waits at the same time count once. */
	waitedMs?: number;
	/** The requests of a month. Absent: the platform has not said. */
	monthlyLimit?: number;
	/** How many of them are left. Absent: the platform has not said. */
	monthlyRemaining?: number;
	/** When the month begins anew, in milliseconds since 1970. Absent: the platform has not said. */
	monthReturnsAt?: number;
	/** How many requests may leave in a second. */
	perSecond: number;
	/** HTTP requests that this process has ever sent with the credential, by whatever node or run. */
	sentByProcess?: number;
	/** How fast all who use the token spend the month, once seen for an hour. */
	rate?: ConsumptionRate;
}

/** Describes requests and the time that they took: "202 requests, 41 s". */
export function describeUsage(
	{ requests }: Pick<Usage, 'requests'>,
	seconds: number,
	separator = ', ',
): string {
	const requestsInWords = `${thousands(requests)} ${requests === 1 ? 'request' : 'requests'}`;
	return [requestsInWords, inSeconds(seconds)].join(separator);
}

/** Describes the waits: "The platform asked to wait 20 times (429), which took 58 s in all."; undefined where the platform never asked. */
export function describeWaits({
	waits = 0,
	waitedMs = 0,
}: Pick<Usage, 'waits' | 'waitedMs'>): string | undefined {
	if (waits === 0) return undefined;
	const times = waits === 1 ? 'once' : `${thousands(waits)} times`;
	return `The platform asked to wait ${times} (429), which took ${inSeconds(waitedMs / 1_000)} in all.`;
}

function inSeconds(seconds: number): string {
	return `${thousands(Math.round(seconds))} s`;
}

export function thousands(count: number): string {
	return count.toLocaleString('en-US');
}

/** Counts waits and measures how long they take in all. Waits that overlap take their time once, because people wait for the longest of them. */
export class WaitMeter {
	private waitingCount = 0;
	/** When the first of them began. */
	private beganAt = 0;
	/** How long the waits before took. */
	private pastWaitsMs = 0;

	constructor(
		private readonly clock: Pick<Clock, 'now'>,
		private readonly usage: Pick<Usage, 'waits' | 'waitedMs'>,
	) {}

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
