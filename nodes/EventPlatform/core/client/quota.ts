import type { ApiResponse, Ask } from './request';
import { unixMs } from '../values/time';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A limit of a month returns within a month; what is told beyond this is no time. */
const longestMs = 366 * 24 * hourMs;

/** The limits of section 8, as far as a response tells them. All times are by the clock that waits. */
export interface Quota {
	/** How many requests the platform allows in a second. */
	intervalLimit?: number;
	/** How many requests the plan has in a month. */
	monthlyLimit?: number;
	/** How many of them are left. */
	monthlyRemaining?: number;
	/** When the month's requests are back, in milliseconds since 1970. */
	monthReturnsAt?: number;
	/** When the request may be sent again, in milliseconds since 1970. */
	retryAt?: number;
	/** The response is no refusal. */
	isServed?: boolean;
	/** The month is used up, so that waiting a few seconds is of no use. */
	isSpent?: boolean;
}

/** All times by the clock that waits. It may differ from the platform's, whose own is the header `Date`. */
export function readQuota(answer: ApiResponse, now: number): Quota {
	const { status, headers } = answer;
	// The platform once misspelled the month, and may still.
	const monthly = (name: string) =>
		count(headers[`ratelimit-monthly-${name}`] ?? headers[`ratelimit-montly-${name}`]);
	const monthlyRemaining = monthly('remaining');
	const reset = parseHeaderTime('ratelimit-reset', answer, now);
	// With requests left in the month, a far reset is the month's, or told by a clock that is ahead.
	const isOfTheSecond = reset !== undefined && reset - now <= minuteMs;
	const retryAt =
		parseHeaderTime('retry-after', answer, now) ??
		(isOfTheSecond || !monthlyRemaining ? reset : undefined);
	const isLong = retryAt !== undefined && retryAt - now > hourMs;
	return {
		// A process that sent nothing any more would never hear of another limit.
		intervalLimit: count(headers['ratelimit-interval-limit']) || undefined,
		monthlyLimit: monthly('limit'),
		monthlyRemaining,
		monthReturnsAt: isOfTheSecond ? undefined : reset,
		retryAt,
		isServed: status < 400,
		isSpent: status === 429 && (monthlyRemaining === undefined ? isLong : monthlyRemaining === 0),
	};
}

function count(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
	return Number(text);
}

/** The moment of a header by our clock. A time that is over, or further away than any limit lasts, says nothing. */
export function parseHeaderTime(
	header: string,
	{ headers }: Pick<ApiResponse, 'headers'>,
	now: number,
): number | undefined {
	const told = headers[header] ?? '';
	const value = count(told) ?? NaN;
	if (value < 1e8) return now + Math.min(value * 1_000, longestMs);
	const time = Number.isNaN(value) ? readDate(told) : unixMs(value);
	const ours = (time ?? NaN) + clockAheadMs({ headers }, now);
	return ours > now && ours - now <= longestMs ? ours : undefined;
}

/** How far our clock is ahead of the platform's. Less than two seconds is the way and the rounding. */
export function clockAheadMs({ headers }: Pick<ApiResponse, 'headers'>, now: number): number {
	const aheadMs = now - (readDate(headers.date ?? '') ?? now);
	return Math.abs(aheadMs) < 2_000 ? 0 : aheadMs;
}

/** Sends requests, and compares the two clocks meanwhile. */
interface TimedAsk {
	ask: Ask;
	/** How far our clock is ahead of the platform's, as the last response has told; 0 before the first one. */
	readonly clock: { readonly aheadMs: number };
}

/** As far as the answers to `ask` tell. More than a day is no clock but a mistake. */
export function withPlatformClock(api: Ask, now: () => number): TimedAsk {
	const clock = { aheadMs: 0 };
	const ask: Ask = async (request) => {
		const answer = await api(request);
		const aheadMs = clockAheadMs(answer, now());
		clock.aheadMs = Math.abs(aheadMs) > 24 * hourMs ? 0 : aheadMs;
		return answer;
	};
	return { ask, clock };
}

/** Without a name of a month or an ISO year almost any text would be some date. */
function readDate(text: string): number | undefined {
	if (text.length > 64 || !/[A-Z][a-z]{2}|\d{4}-\d\d-/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : date;
}
