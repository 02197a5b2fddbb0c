/** How long a request and its answer travel together. */
export interface Travel {
	readonly leastMs: number;
	readonly meanMs: number;
	/** The mean distance from the mean. */
	readonly deviationMs: number;
}

/** Two requests that leave together may arrive so far apart: one travels 60 ms and the other 100. */
export const jitterMs = 40;
/**
 * The fastest answer may belong to a request that was slow and an answer that was fast. With half of
 * it, a single process with uneven journeys is refused once in 800 requests, with all of it never.
 */
const spareMs = 10;
/**
 * As long as RFC 6298 waits before it takes a packet for lost: of round trips between 120 and 200 ms,
 * with a mean distance of 13 ms from their mean, none is so late.
 */
const lateDeviations = 4;

export function afterRoundTrip(travel: Travel | undefined, ms: number): Travel {
	if (!travel) return { leastMs: ms, meanMs: ms, deviationMs: ms / 2 };
	const { leastMs, meanMs, deviationMs } = travel;
	// RFC 6298: an eighth and a quarter. One answer that hung for seconds must not hide those after it.
	const distanceMs = Math.min(Math.abs(ms - meanMs), lateDeviations * deviationMs);
	return {
		leastMs: Math.min(leastMs, ms),
		meanMs: meanMs + (ms - meanMs) / 8,
		deviationMs: deviationMs + (distanceMs - deviationMs) / 4,
	};
}

/**
 * How much later than the fastest request this one may have arrived. The platform may also have
 * thought about its answer, so only an unusual delay counts in full.
 */
export function latenessMs(travel: Travel | undefined, ms: number): number {
	if (!travel) return jitterMs;
	const { leastMs, meanMs, deviationMs } = travel;
	const lateMs = ms - leastMs + spareMs;
	return ms > meanMs + lateDeviations * deviationMs ? lateMs : Math.min(jitterMs, lateMs);
}
