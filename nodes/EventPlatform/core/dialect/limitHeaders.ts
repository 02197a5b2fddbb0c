import { parseDateOfHeader } from '../values/dates';
import { clockAheadMs, withoutRounding } from './clockAhead';
import { unixMs } from './time';
import { dayMs, type Ms } from '../values/units';

/*
 * What this rests on: section 8 names no header. The vendor's pages name them all, one of them with the month misspelled, `Retry-After`
 * in seconds, and `RateLimit-Reset` as a time stamp without a unit.
 */

export interface WithHeaders {
	readonly headers: Readonly<Record<string, string>>;
}

/** The longest time until a limit returns. A longer wait is cut, because it says at least that it is long; a later time shows a wrong clock. */
const longestMs = 366 * dayMs;

/** The counts of section 8, as far as the headers tell them. */
export interface LimitCounts {
	intervalLimit?: number;
	monthlyLimit?: number;
	monthlyRemaining?: number;
}

export function readLimitCounts({ headers }: WithHeaders): LimitCounts {
	// The platform once misspelled the month, and may still.
	const monthly = (name: string) =>
		parseHeaderCount(headers[`ratelimit-monthly-${name}`] ?? headers[`ratelimit-montly-${name}`]);
	return {
		// A process that sent nothing any more would never hear of another limit.
		intervalLimit: parseHeaderCount(headers['ratelimit-interval-limit']) || undefined,
		monthlyLimit: monthly('limit'),
		monthlyRemaining: monthly('remaining'),
	};
}

function parseHeaderCount(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
	// With an infinite count the waits of the limiter would be no numbers.
	return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** A smaller number in a header is a wait in seconds, and a larger one a time stamp, because 1e8 seconds are three years. */
const smallestTimeStamp = 1e8;

/**
 * Reads the moment of a header by our clock, whether it is written in seconds from now, as a time stamp or as a date. Gives undefined for
 * a time that is over, or further away than any limit lasts.
 */
export function parseHeaderTime(
	header: 'ratelimit-reset' | 'retry-after',
	{ headers }: WithHeaders,
	now: Ms,
): Ms | undefined {
	const content = headers[header] ?? '';
	const value = parseHeaderCount(content) ?? NaN;
	if (value < smallestTimeStamp) return now + Math.min(value * 1_000, longestMs);
	const time = Number.isNaN(value) ? parseDateOfHeader(content) : unixMs(value);
	if (time === undefined) return undefined;
	// The date of the response is by the same clock, so the difference is right however large it is.
	const timeByOurClock = time + withoutRounding(clockAheadMs({ headers }, now));
	const isBelievable = timeByOurClock > now && timeByOurClock - now <= longestMs;
	return isBelievable ? timeByOurClock : undefined;
}
