/** How long a request and its answer travel together. */
export interface Travel {
	readonly trips: number;
	readonly leastMs: number;
	readonly meanMs: number;
	/** The mean distance from the mean. */
	readonly deviationMs: number;
	/** How far apart requests are taken to arrive that left together, on a line that is not even. */
	readonly jitterMs: number;
	/** Whoever was alone was not refused: no two requests arrived much closer together than they left. */
	readonly isEven: boolean;
}

/**
 * Two requests that leave together may arrive so far apart. 40: workers of a crowded machine, with
 * journeys of 5 to 85 ms, use 1 to 2 % less. 60: a process alone, with journeys of 60 to 100 ms, uses
 * 1 % less.
 */
const leastJitterMs = 50;
/**
 * For whoever is alone on a line that seems even. 40: 5,000 people take 1 % longer. 20: on a busy
 * machine, where one request in a hundred is late by 30 ms or more, a quarter more are refused.
 */
const evenJitterMs = 30;
/** Where the line turns out to be worse, so much is allowed: a single process then uses 82 % of the limit. */
const mostJitterMs = 200;
/** What was allowed too much is taken back at 15 ms a minute, when five answers come each second. */
const calmerMs = 0.05;
/** Two round trips of 50 ms: what a connection with TLS takes to be opened to a host that is not near. */
export const openingMs = 100;
/**
 * The fastest answer may belong to a request that was slow and an answer that was fast. With half of
 * it, a single process with uneven journeys is refused once in 800 requests, with all of it never.
 */
const spareMs = 10;
/** Before so many, the fastest is not yet known. */
const knownTrips = 20;
/**
 * As long as RFC 6298 waits before it takes a packet for lost: of round trips between 120 and 200 ms,
 * with a mean distance of 13 ms from their mean, none is so late.
 */
const lateDeviations = 4;

export const unknownTravel: Travel = {
	trips: 0,
	leastMs: Infinity,
	meanMs: 0,
	deviationMs: 0,
	jitterMs: leastJitterMs,
	isEven: true,
};

export function afterRoundTrip(travel: Travel, ms: number): Travel {
	const { trips, leastMs, meanMs, deviationMs } = travel;
	const known = {
		...travel,
		trips: trips + 1,
		leastMs: Math.min(leastMs, ms),
		jitterMs: Math.max(leastJitterMs, travel.jitterMs - calmerMs),
	};
	if (trips === 0) return { ...known, meanMs: ms, deviationMs: ms / 2 };
	// RFC 6298: an eighth and a quarter. One answer that hung for seconds must not hide those after it.
	const distanceMs = Math.min(Math.abs(ms - meanMs), lateDeviations * deviationMs);
	return {
		...known,
		meanMs: meanMs + (ms - meanMs) / 8,
		deviationMs: deviationMs + (distanceMs - deviationMs) / 4,
	};
}

/** After a pause in which the line may have changed: whoever had the least to allow tries with less again. */
export function afterPause(travel: Travel): Travel {
	return { ...travel, isEven: travel.jitterMs === leastJitterMs };
}

/** How far apart requests are taken to arrive that left together. */
export function apartMs({ trips, isEven, jitterMs }: Travel, isAlone: boolean): number {
	return isAlone && isEven && trips >= knownTrips ? evenJitterMs : jitterMs;
}

/** After a refusal of somebody who was alone: two requests arrived closer together than they left. */
export function afterLateness(travel: Travel): Travel {
	const jitterMs = travel.isEven ? leastJitterMs : Math.min(mostJitterMs, travel.jitterMs * 1.5);
	return { ...travel, jitterMs, isEven: false };
}

/** How late a request may have arrived that opened its connection, as far as is known by now. */
export function openingLatenessMs({ leastMs }: Travel, ms: number): number {
	return Math.max(openingMs, ms - leastMs + spareMs);
}

/**
 * How much later than the fastest request this one may have arrived. The platform may also have
 * thought about its answer, so only an unusual delay counts in full.
 */
export function latenessMs(travel: Travel, ms: number, isAlone: boolean): number {
	const { trips, leastMs, meanMs, deviationMs } = travel;
	const jitterMs = apartMs(travel, isAlone);
	const lateMs = ms - leastMs + spareMs;
	const isUnusual = trips > 0 && ms > meanMs + lateDeviations * deviationMs;
	const countedMs = isUnusual ? lateMs : Math.min(jitterMs, lateMs);
	return trips < knownTrips ? Math.max(jitterMs, countedMs) : countedMs;
}
