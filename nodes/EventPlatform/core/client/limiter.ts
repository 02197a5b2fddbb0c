import { largestOf } from '../values/collections';
import { hourMs, type Ms } from '../values/units';

/**
 * The state of a limiter, which decides when the next request may leave. The functions of this file have neither a clock nor a queue.
 *
 * Five requests a second are five places. A request uses a place, and the place is free again a second after the
 * request is taken to arrive. As long as requests arrive when they are taken to, five places never send more than five in a second, whether
 * the platform counts in a sliding window, a fixed one or a bucket of tokens.
 *
 * Several processes may use one token. They cannot talk to each other, so each of them finds its part by itself: a
 * request that is rate limited (429) costs it a place, and every few seconds it tries one place more. A try that is accepted is kept.
 */
export interface Limiter {
	/** Requests per second that the platform allows. */
	readonly allowed: number;
	/** Requests per second that this process never exceeds, as the credential says. */
	readonly cap?: number;
	/** Places of this process: a whole number, or a half or a quarter when even one was too many. */
	readonly places: number;
	/** The latest requests, by the time at which each is taken to arrive. */
	readonly uses: readonly Use[];
	/** When a request may leave although no place is free; undefined while the process has all places. */
	readonly tryAt?: Ms;
	/** When the last place was lost; undefined: none has been. */
	readonly lostAt?: Ms;
	readonly rateLimitedTries: number;
	readonly pausedUntil?: Ms;
	/** How long a response usually takes; undefined before the first one. */
	readonly usualMs?: Ms;
}

interface Use {
	readonly sentAt: Ms;
	/** When it is taken to arrive at the platform. */
	readonly arrivesAt: Ms;
	/** It left although no place was free. */
	readonly isTry: boolean;
}

/** The facts in a response that concern the limit. */
export interface LimitFacts {
	isRateLimited: boolean;
	/** Requests per second that the platform announces. Absent: it announces none. */
	allowed?: number;
	/** How long the platform asks to wait. Absent: it does not ask. */
	pauseMs?: Ms;
}

/** A number from 0 to 1. Without chance, processes that were rate limited together would try again together. */
export type Random = () => number;

/** The limit of section 8, in requests per second. It counts until the platform tells another one. */
export const usualPerSecond = 5;

const secondMs = 1_000;
/**
 * Journeys of two requests differ by about this much on a usual line: with 30 ms one process alone is rate limited more often, with 50
 * ms it is slower.
 */
const travelMs = 40;
/**
 * A response that takes half as long again as usual shows that its request arrived late. Without this, one process alone gets 88.9 %
 * of a sliding second instead of 95.1 %, and gets a 429 for 3.4 % instead of 0.9 % while its connections open slowly (means of the
 * simulation in test/long/paceSharing).
 */
const lateFactor = 1.5;
/**
 * The usual time of a response follows a slower one by a quarter and a quicker one by a thirty-second, so that it comes to lie
 * above nearly all responses. On a line whose responses take 50 to 350 ms a mean would call every sixth response late.
 */
const slowerPart = 1 / 4;
const quickerPart = 1 / 32;
/**
 * Before a try: five seconds, and one and a half for each place, so that a process with few places tries first. In the simulation of
 * test/long/paceSharing half of it gives five processes a 429 for 15.5 % instead of 12 %. Twice as much leaves a process alone for 27 s
 * instead of 15 with what another one no longer uses.
 */
const tryAfterMs = 5_000;
const tryAfterMsPerPlace = 1_500;
/**
 * After tries that are rate limited the wait doubles up to this. With ten seconds twelve processes get a 429 for 35 % instead of 32 %; with a minute
 * the slowest of them gets 35 % of its part instead of 46 %.
 */
const longestTryMs = 30_000;
/**
 * The least part of a place: one request in four seconds. With half a place twelve processes get a 429 for 43 % instead of 32 %; with a
 * tenth the slowest of five gets 6 % of its part instead of 22 %.
 */
const leastPlaces = 0.25;
/**
 * After this time without a request a process begins anew with all places, because the others may have gone. The least part of a
 * place makes a busy process wait four seconds, which must not look like that. Nor does a pause that the platform asked for: all keep it, and
 * after one of 30 s eight processes that began anew together got a 429 for 58 % of the next ten seconds instead of 25 %.
 */
const forgottenAfterMs = 10_000;
/** Retry-After counts in whole seconds, so a limit per second may ask for two. Only more than that is a pause. */
const longestWaitOfSecondMs = 2_000;
/**
 * Of a longer pause a request asks again after this time, and its response tells. Otherwise no request would leave for days, whatever the
 * platform would answer by then, until n8n is restarted.
 */
const longestPausedMs = hourMs;

/** How many uses of each place are remembered: responses of the last two may still be missing. */
const roundsOfUses = 3;
/**
 * So many tries are remembered beyond that, because their responses may take longer: a try is due every eight seconds or so, and a response is
 * waited for a minute. Otherwise a process that has lost a place never gets it back where responses take more than four seconds.
 */
const earlierTries = 8;

export function startLimiter(allowed: number, cap?: number): Limiter {
	const places = allPlaces({ allowed, cap });
	return { allowed, cap, places, uses: [], rateLimitedTries: 0 };
}

type Rates = Pick<Limiter, 'allowed' | 'cap'>;

function rateOf({ allowed, cap }: Rates): number {
	return cap === undefined ? allowed : Math.min(allowed, cap);
}

/** Counts the places that this process could have at most. Half a request a second is one place that is free again after two seconds. */
function allPlaces(rates: Rates): number {
	return Math.ceil(rateOf(rates));
}

function placeMs(rates: Rates): Ms {
	return (secondMs * allPlaces(rates)) / rateOf(rates);
}

function lacksPlaces(limiter: Limiter): boolean {
	return limiter.places < allPlaces(limiter);
}

export function perSecond(limiter: Limiter): number {
	return (secondMs * limiter.places) / placeMs(limiter);
}

/** A process that lacks places keeps those that it has. */
export function withRates(limiter: Limiter, rates: Rates): Limiter {
	const mostPlaces = allPlaces(rates);
	const places = lacksPlaces(limiter) ? Math.min(mostPlaces, limiter.places) : mostPlaces;
	return { ...limiter, allowed: rates.allowed, cap: rates.cap, places };
}

export function earliestDeparture(limiter: Limiter, now: Ms, requestsAhead = 0): Ms {
	const { places, pausedUntil = now, tryAt } = limiter;
	const placeAt = placeFreeAt(limiter);
	const mayLeaveAt = tryAt === undefined ? placeAt : Math.min(placeAt, tryAt);
	// A part of a place counts as a whole one, because one try that is accepted makes it that. A request that comes too late nevertheless fails
	// while it waits.
	const rounds = Math.floor(requestsAhead / Math.max(1, places));
	const departureAt = Math.max(
		now,
		pausedUntil,
		// A try as well keeps to the limit of the platform and to the cap.
		freeAgainAt(limiter, allPlaces(limiter)),
		roomAfterLast(limiter),
		mayLeaveAt,
	);
	return departureAt + rounds * placeMs(limiter);
}

/**
 * A process that lacks places spreads its requests over the whole second, because those that arrive together meet the same full
 * window.
 */
function roomAfterLast(limiter: Limiter): Ms {
	if (!lacksPlaces(limiter)) return 0;
	const lastSentAt = largestOf(limiter.uses.map(({ sentAt }) => sentAt));
	return lastSentAt + placeMs(limiter) / allPlaces(limiter);
}

/** With less than one place, a request leaves each second divided by the places: with half a place every two seconds. */
function placeFreeAt(limiter: Limiter): Ms {
	const { places } = limiter;
	if (places >= 1) return freeAgainAt(limiter, places);
	return freeAgainAt(limiter, 1) + placeMs(limiter) * (1 / places - 1);
}

function freeAgainAt(limiter: Limiter, usesAgo: number): Ms {
	const use = limiter.uses.at(-usesAgo);
	return use === undefined ? 0 : use.arrivesAt + placeMs(limiter);
}

export function withRequest(limiter: Limiter, now: Ms, random: Random): Limiter {
	const { uses, pausedUntil = 0 } = limiter;
	const lastUse = uses.at(-1);
	const isForgotten =
		lastUse !== undefined && now - Math.max(lastUse.sentAt, pausedUntil) > forgottenAfterMs;
	const current = isForgotten
		? { ...limiter, places: allPlaces(limiter), tryAt: undefined, rateLimitedTries: 0 }
		: limiter;
	const isTry = placeFreeAt(current) > now;
	const use: Use = { sentAt: now, arrivesAt: now + travelMs, isTry };
	const next = { ...current, uses: latestByArrival([...current.uses, use], current) };
	// Should the response of the try never come, the next one is due all the same.
	return isTry ? planTry(next, now, random) : next;
}

/** Decides when one more place is tried: the later, the more places there are and the more tries were rate limited. */
function planTry(limiter: Limiter, now: Ms, random: Random): Limiter {
	if (!lacksPlaces(limiter)) return { ...limiter, tryAt: undefined };
	const usualWaitMs = tryAfterMs + tryAfterMsPerPlace * limiter.places;
	// The wait is drawn between half and one and a half of the usual one.
	const drawnMs = usualWaitMs * (0.5 + random());
	return {
		...limiter,
		tryAt: now + Math.min(longestTryMs, drawnMs * 2 ** limiter.rateLimitedTries),
	};
}

export function withResponse(
	previous: Limiter,
	{ isRateLimited, allowed = previous.allowed, pauseMs = 0 }: LimitFacts,
	sentAt: Ms,
	now: Ms,
	random: Random,
): Limiter {
	const arrived = withArrival(previous, sentAt, isRateLimited, now);
	const limiter = withRates(arrived, { allowed, cap: previous.cap });
	const isTry = previous.uses.some((use) => use.sentAt === sentAt && use.isTry);
	if (!isRateLimited) return isTry ? planTry(withOneMorePlace(limiter), now, random) : limiter;
	if (pauseMs > longestWaitOfSecondMs) {
		// Such a long pause is not about the places of one second.
		const pausedUntil = now + Math.min(pauseMs, longestPausedMs);
		return { ...limiter, pausedUntil: Math.max(limiter.pausedUntil ?? 0, pausedUntil) };
	}
	if (isTry)
		return planTry({ ...limiter, rateLimitedTries: limiter.rateLimitedTries + 1 }, now, random);
	// The request left before the last place was lost, so its 429 says nothing of those that are left: five requests that arrive late
	// together would cost a process all its places.
	if (limiter.lostAt !== undefined && sentAt < limiter.lostAt) return limiter;
	const reduced = { ...withOnePlaceLess(limiter), lostAt: now };
	// A try that is planned already stays where it is: many 429s would put it off for ever.
	return reduced.tryAt !== undefined && reduced.tryAt > now
		? reduced
		: planTry(reduced, now, random);
}

/** A part of a place grows to a whole one. */
function withOneMorePlace(limiter: Limiter): Limiter {
	const places = limiter.places < 1 ? 1 : limiter.places + 1;
	return { ...limiter, places: Math.min(allPlaces(limiter), places), rateLimitedTries: 0 };
}

/** Takes one place from a process. The last place is halved. */
function withOnePlaceLess(limiter: Limiter): Limiter {
	const { places } = limiter;
	const remaining = places > 1 ? places - 1 : places / 2;
	return { ...limiter, places: Math.max(leastPlaces, remaining) };
}

/**
 * Learns how long responses take. The request of a response that took much longer than usual may have arrived later by the difference.
 *
 * A rate limited request does not count, so its place needs no margin for the journey. Without the margin the next request arrives a
 * little before that of the other process, so the two take turns. With it they would meet in the same order every second: on a quick line one of
 * two processes got nothing for minutes (test/long/paceSharing).
 *
 * Requests that left in the same millisecond are not told apart: the last of their responses counts for all. A try is none of them, because a process
 * that lacks places spreads its requests.
 */
function withArrival(limiter: Limiter, sentAt: Ms, isRateLimited: boolean, now: Ms): Limiter {
	const tookMs = now - sentAt;
	const usualMs = limiter.usualMs ?? tookMs;
	const lateMs = tookMs > lateFactor * usualMs ? tookMs - usualMs : 0;
	const arrivesAt = sentAt + lateMs + (isRateLimited ? 0 : travelMs);
	const uses = limiter.uses.map((use) => (use.sentAt === sentAt ? { ...use, arrivesAt } : use));
	// One response that hung for seconds must not hide the late ones after it.
	const slowerMs = Math.min(tookMs, lateFactor * usualMs) - usualMs;
	const nextUsualMs = usualMs + slowerMs * (slowerMs > 0 ? slowerPart : quickerPart);
	return { ...limiter, uses: latestByArrival(uses, limiter), usualMs: nextUsualMs };
}

/** Sorts uses by their arrival, and keeps the latest of them, and tries from before. */
function latestByArrival(uses: readonly Use[], rates: Rates): readonly Use[] {
	const ordered = [...uses].sort((a, b) => a.arrivesAt - b.arrivesAt);
	const kept = roundsOfUses * allPlaces(rates);
	const tries = ordered.slice(0, -kept).filter(({ isTry }) => isTry);
	return [...tries.slice(-earlierTries), ...ordered.slice(-kept)];
}
