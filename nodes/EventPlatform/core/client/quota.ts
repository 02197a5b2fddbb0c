import type { ApiResponse, Ask } from './request';
import {
	clockAheadMs,
	parseHeaderTime,
	readLimitCounts,
	withoutRounding,
	type LimitCounts,
} from '../dialect/limitHeaders';
import { hourMs, minuteMs } from '../values/units';

/** The limits of section 8, as far as a response tells them. All times are by our clock, because it measures the waits. */
export interface Quota extends LimitCounts {
	/** When the month's requests are back, in milliseconds since 1970. */
	monthReturnsAt?: number;
	retryAt?: number;
	isServed?: boolean;
	/** The month is used up, so that waiting a few seconds is of no use. */
	isSpent?: boolean;
}

/** Reads the limits from a response. All times are by our clock, which may differ from the platform's; the header `Date` shows that one. */
export function readQuota(response: ApiResponse, now: number): Quota {
	const { status } = response;
	const counts = readLimitCounts(response);
	const { monthlyRemaining } = counts;
	const reset = parseHeaderTime('ratelimit-reset', response, now);
	// The limit per second is back within a minute, whatever the clocks. Where requests are left in the month, a later reset is the
	// month's, or a clock that is ahead tells it.
	const isShortReset = reset !== undefined && reset - now <= minuteMs;
	const retryAt =
		parseHeaderTime('retry-after', response, now) ??
		(isShortReset || !monthlyRemaining ? reset : undefined);
	// No limit but the month's makes anybody wait for an hour.
	const isLongWait = retryAt !== undefined && retryAt - now > hourMs;
	return {
		...counts,
		monthReturnsAt: isShortReset ? undefined : reset,
		retryAt,
		isServed: status < 400,
		isSpent:
			status === 429 && (monthlyRemaining === undefined ? isLongWait : monthlyRemaining === 0),
	};
}

/** Sends requests, and compares the two clocks meanwhile. */
export interface TimedAsk {
	ask: Ask;
	/** How far our clock is ahead of the platform's, as the last response has told; 0 before the first one. */
	readonly clock: { readonly aheadMs: number };
}

/** Compares our clock with the platform's, as the responses to `ask` show it. A difference of more than a day is taken for a mistake. */
export function withPlatformClock(api: Ask, now: () => number): TimedAsk {
	const clock = { aheadMs: 0 };
	const ask: Ask = async (request) => {
		const response = await api(request);
		const aheadMs = withoutRounding(clockAheadMs(response, now()));
		clock.aheadMs = Math.abs(aheadMs) > 24 * hourMs ? 0 : aheadMs;
		return response;
	};
	return { ask, clock };
}
