import { parseDateOfHeader } from '../values/dates';
import type { Ms } from '../values/units';

/* What this rests on: a server that has a clock sends the date with each response (RFC 9110, 6.6.1). */

/**
 * Computes how far our clock is ahead of the platform's at most, by the date of a response that has just arrived; undefined where
 * it has none.
 */
export function clockAheadMs(
	{ headers }: { readonly headers: Readonly<Record<string, string>> },
	now: Ms,
): Ms | undefined {
	const date = parseDateOfHeader(headers.date ?? '');
	return date === undefined ? undefined : now - date;
}

/** The least of several such measurements is nearest to the truth: a response that took its time makes our clock seem further ahead. */
export function leastAheadMs(least: Ms | undefined, measured: Ms | undefined): Ms | undefined {
	return least === undefined || measured === undefined
		? (least ?? measured)
		: Math.min(least, measured);
}

/** Clocks that differ by less than this count as equal, because a date has whole seconds, and a response takes its time. */
const leastDifferenceMs = 2_000;

export function withoutRounding(aheadMs: Ms = 0): Ms {
	return Math.abs(aheadMs) < leastDifferenceMs ? 0 : aheadMs;
}
