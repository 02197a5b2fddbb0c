import { unixMs } from './time';

/** The headers of a response, by name in lower case. */
interface WithHeaders {
	readonly headers: Readonly<Record<string, string>>;
}

/** The longest time until a limit returns. What a header says beyond this is no time. */
const longestMs = 366 * 24 * 3_600_000;

/** The counts of section 8, as far as the headers tell them. */
export interface LimitCounts {
	/** How many requests the platform allows in a second. */
	intervalLimit?: number;
	/** How many requests the plan has in a month. */
	monthlyLimit?: number;
	/** How many of them are left. */
	monthlyRemaining?: number;
}

/** Reads the counts of a response. */
export function readLimitCounts({ headers }: WithHeaders): LimitCounts {
	// The platform once misspelled the month, and may still.
	const monthly = (name: string) =>
		count(headers[`ratelimit-monthly-${name}`] ?? headers[`ratelimit-montly-${name}`]);
	return {
		// A process that sent nothing any more would never hear of another limit.
		intervalLimit: count(headers['ratelimit-interval-limit']) || undefined,
		monthlyLimit: monthly('limit'),
		monthlyRemaining: monthly('remaining'),
	};
}

function count(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
	return Number(text);
}

/**
 * Reads the moment of a header by our clock, whether it is written in seconds from now, as a time stamp or as a date. A time that is over,
 * or further away than any limit lasts, says nothing.
 */
export function parseHeaderTime(
	header: 'ratelimit-reset' | 'retry-after',
	{ headers }: WithHeaders,
	now: number,
): number | undefined {
	const content = headers[header] ?? '';
	const value = count(content) ?? NaN;
	if (value < 1e8) return now + Math.min(value * 1_000, longestMs);
	const time = Number.isNaN(value) ? readDate(content) : unixMs(value);
	if (time === undefined) return undefined;
	const ours = time + withoutRounding(clockAheadMs({ headers }, now));
	return ours > now && ours - now <= longestMs ? ours : undefined;
}

/** Computes how far our clock is ahead of the platform's at most, by the date of a response that has just arrived; undefined where it has none. */
export function clockAheadMs({ headers }: WithHeaders, now: number): number | undefined {
	const date = readDate(headers.date ?? '');
	return date === undefined ? undefined : now - date;
}

/** Takes a difference of less than two seconds for none: a date has whole seconds, and a response takes its time. */
export function withoutRounding(aheadMs = 0): number {
	return Math.abs(aheadMs) < 2_000 ? 0 : aheadMs;
}

/** Reads a date. Without the name of a month or an ISO year almost any text would be some date. */
function readDate(text: string): number | undefined {
	if (text.length > 64 || !/[A-Z][a-z]{2}|\d{4}-\d\d-/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : date;
}
