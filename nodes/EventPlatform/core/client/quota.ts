import type { ApiResponse } from './request';
import { parseHeaderTime, readLimitCounts, type LimitCounts } from '../dialect/limitHeaders';
import { hourMs, minuteMs, type Ms } from '../values/units';

/** The limits of section 8, as far as a response tells them. All times are by our clock, because it measures the waits. */
export interface Quota extends LimitCounts {
	/** When the month's requests are back, in milliseconds since 1970. */
	monthReturnsAt?: Ms;
	retryAt?: Ms;
	isServed?: boolean;
	/** The month is used up, so that waiting a few seconds is of no use. */
	isSpent?: boolean;
}

/** Reads the limits from a response. All times are by our clock, which may differ from the platform's; the header `Date` shows that one. */
export function readQuota(response: ApiResponse, now: Ms): Quota {
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
