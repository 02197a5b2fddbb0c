/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * Five requests a second are five places. A place that was used is free again a second later, so five
 * places never send more than five requests in a second, whether the platform counts in a sliding
 * window, a fixed one or a bucket of tokens.
 *
 * Several processes may use one token. They cannot talk to each other, so each finds its share by
 * itself. It begins with all places and gives one up for each refused request. Every few seconds, at
 * moments that all clocks know, there is an exchange: each process leaves one of its places unused
 * around that moment, and a process that lacks places claims one by sending a request. If that is
 * accepted, the place is its own; if it is refused, it waits longer before the next claim.
 */
export interface Limit {
	/** Requests per second that the platform allows. */
	readonly allowed: number;
	/** Requests per second that this process never exceeds. */
	readonly cap?: number;
	/** How many places this process uses. */
	readonly places: number;
	/** The latest uses of them, oldest first. */
	readonly uses: readonly Use[];
	/** When one more place is claimed. */
	readonly claimAt: number;
	/** Claims that were refused since one was accepted. */
	readonly refusedClaims: number;
	/** Nothing leaves before. */
	readonly pausedUntil: number;
	/** More room between two requests than the answers ask for, learned from refusals. */
	readonly extraRoomMs: number;
	/** How long an answer usually takes, and how far the answers are from that; undefined before the first. */
	readonly usual?: { ms: number; deviationMs: number };
}

interface Use {
	readonly sentAt: number;
	/** Its second begins: when the request is taken to arrive. */
	readonly from: number;
	readonly isClaim: boolean;
	/** No answer had come yet when it left. */
	readonly isFirst: boolean;
}

/** What an answer says about the limit. */
export interface Lesson {
	isRefused: boolean;
	allowed?: number;
	/** How long the platform asks to wait. */
	pauseMs?: number;
}

/** From 0 to 1. Without chance, processes that were refused together would claim together again. */
export type Random = () => number;

const windowMs = 1_000;
/** Six uses of a place, and time for it to change hands. */
const exchangeEveryMs = 6_640;
/** A process with all places, perhaps alone, leaves one unused only at each third exchange: a list of 100 pages takes 2 % less. */
const fullEvery = 3;
/** Who has fewer places claims first: each further place, up to two, waits so much longer. */
const rankMs = 150;
/** After each refused claim one more exchange passes before the next, up to so many. */
const mostSkipped = 6;
/** Journeys differ by no more on a usual line. With 30 a process alone is refused more; with 40 bulk takes 1 % longer. */
const usualRoomMs = 35;
/** Refused with all places, perhaps alone: two of its own requests arrived closer together than they left. */
const addedRoomMs = 20;
const mostExtraRoomMs = 160;
/** Taken back with each answer: a line that is bad for a minute is not bad for ever. */
const roomBackMs = 0.1;
/** After so long without a request a process begins anew with all places. */
const memoryMs = 10_000;
/** Retry-After counts in whole seconds, so a limit per second may ask for two. */
const longestSecondMs = 2_000;

export function startLimit(allowed: number, cap?: number): Limit {
	return {
		...{ allowed, cap, places: all({ allowed, cap }), uses: [], refusedClaims: 0 },
		...{ claimAt: Infinity, pausedUntil: -Infinity, extraRoomMs: 0 },
	};
}

type Rates = Pick<Limit, 'allowed' | 'cap'>;

function rate({ allowed, cap = Infinity }: Rates): number {
	return Math.min(allowed, cap);
}

/** All places that there are for this process. Half a request a second is one place every two seconds. */
function all(rates: Rates): number {
	return Math.ceil(rate(rates));
}

/** How long after a use the place may be used again. */
function spanMs(rates: Rates): number {
	return (windowMs * all(rates)) / rate(rates);
}

function lacksPlaces(limit: Limit): boolean {
	return limit.places < all(limit);
}

/** Requests per second that this process may send now. */
export function perSecond(limit: Limit): number {
	return limit.places > 0 ? (windowMs * limit.places) / spanMs(limit) : windowMs / exchangeEveryMs;
}

/** Another limit or cap. A process that lacks places keeps what it has. */
export function withRates(limit: Limit, rates: Rates): Limit {
	const places = lacksPlaces(limit) ? Math.min(all(rates), limit.places) : all(rates);
	return { ...limit, allowed: rates.allowed, cap: rates.cap, places };
}

/** The earliest moment for the request that has `ahead` others before it. */
export function earliest(limit: Limit, now: number, ahead = 0): number {
	const placeAt = Math.min(placeFreeAt(limit, now), limit.claimAt);
	const rounds = Math.floor(ahead / Math.max(1, limit.places));
	const at = Math.max(now, limit.pausedUntil, freeAgainAt(limit, all(limit)), placeAt);
	return at + rounds * spanMs(limit);
}

/** When the place is free again that was used so many uses ago. */
function freeAgainAt(limit: Limit, usesAgo: number): number {
	return (limit.uses.at(-usesAgo)?.from ?? -Infinity) + spanMs(limit);
}

/** When a place of this process is free, as it looks at this moment. */
function placeFreeAt(limit: Limit, now: number): number {
	const { places } = limit;
	if (places === 0) return Infinity;
	const freeAt = freeAgainAt(limit, places);
	// By then others may have claimed it: a process without places, or also one with a single place.
	const backMs = (Math.min(places, 2) - 1 / 4) * rankMs;
	const exchangeAt = nextExchange(now - backMs);
	const isBefore = Math.max(now, freeAt) <= exchangeAt - windowMs - room(limit);
	if (isBefore || !leavesOneUnused(limit, exchangeAt)) return freeAt;
	// It is the place that no other follows before the exchange.
	const nextFreeAt = places === 1 ? Infinity : freeAgainAt(limit, places - 1);
	if (nextFreeAt <= exchangeAt) return freeAt;
	return Math.min(nextFreeAt, Math.max(freeAt, exchangeAt + backMs));
}

function leavesOneUnused(limit: Limit, exchangeAt: number): boolean {
	if (lacksPlaces(limit)) return true;
	// A cap says already how the processes share.
	return limit.cap === undefined && Math.round(exchangeAt / exchangeEveryMs) % fullEvery === 0;
}

function nextExchange(now: number): number {
	return Math.ceil(now / exchangeEveryMs) * exchangeEveryMs;
}

export function afterSending(limit: Limit, now: number, random: Random): Limit {
	const isForgotten = now - (limit.uses.at(-1)?.sentAt ?? now) > memoryMs;
	const before = isForgotten ? { ...limit, places: all(limit), claimAt: Infinity } : limit;
	const isClaim = placeFreeAt(before, now) > now;
	const use = { sentAt: now, from: now + room(limit), isClaim, isFirst: !limit.usual };
	const sent = { ...before, uses: inOrder([...limit.uses, use], limit) };
	// Should its answer never come, the next claim is due all the same.
	return isClaim ? planClaim(sent, now, random) : sent;
}

function planClaim(limit: Limit, now: number, random: Random): Limit {
	if (!lacksPlaces(limit)) return { ...limit, claimAt: Infinity };
	const { places, refusedClaims } = limit;
	// A process without places claims one at every exchange.
	const skipped = places === 0 ? 0 : Math.min(refusedClaims, mostSkipped);
	const rankedMs = (Math.min(places, 2) + random() / 2) * rankMs;
	return { ...limit, claimAt: nextExchange(now) + skipped * exchangeEveryMs + rankedMs };
}

/** What an answer teaches. `sentAt`: when its request left. */
export function afterAnswer(
	before: Limit,
	{ isRefused, allowed = before.allowed, pauseMs = 0 }: Lesson,
	sentAt: number,
	now: number,
	random: Random,
): Limit {
	const limit = withRates(arrived(before, sentAt, now), { allowed, cap: before.cap });
	const isClaim = before.uses.some((use) => use.sentAt === sentAt && use.isClaim);
	if (!isRefused) return isClaim ? planClaim(gained(limit), now, random) : limit;
	const paused = { ...limit, pausedUntil: Math.max(limit.pausedUntil, now + pauseMs) };
	// A pause of many seconds is not about the places of one.
	if (pauseMs > longestSecondMs) return paused;
	if (!isClaim) return planClaim(lost(paused), now, random);
	return planClaim({ ...paused, refusedClaims: limit.refusedClaims + 1 }, now, random);
}

function gained(limit: Limit): Limit {
	// A first place does not say that there is a second.
	const refusedClaims = limit.places > 0 ? 0 : limit.refusedClaims;
	return { ...limit, places: Math.min(all(limit), limit.places + 1), refusedClaims };
}

function lost(limit: Limit): Limit {
	const added = lacksPlaces(limit) ? 0 : addedRoomMs;
	const extraRoomMs = Math.min(mostExtraRoomMs, limit.extraRoomMs + added);
	return { ...limit, places: Math.max(0, limit.places - 1), extraRoomMs };
}

/** Two requests may arrive so much closer together than they left; less if answers always take the same time. */
function room({ usual, extraRoomMs }: Limit): number {
	return extraRoomMs + Math.min(usualRoomMs, usual ? 4 * usual.deviationMs : Infinity);
}

/** An answer that took unusually long: its request may have arrived as much later. */
function arrived(limit: Limit, sentAt: number, now: number): Limit {
	const tookMs = now - sentAt;
	const { ms, deviationMs } = limit.usual ?? { ms: tookMs, deviationMs: tookMs / 2 };
	const lateMs = tookMs > ms + 4 * deviationMs ? tookMs - ms : 0;
	const uses = limit.uses.map((use) => {
		if (use.sentAt !== sentAt) return use;
		// The first requests open connections and arrive at some moment before their answers do.
		return { ...use, from: use.isFirst ? now : sentAt + room(limit) + lateMs };
	});
	// The mean and the deviation of RFC 6298. One answer that hung for seconds must not hide those after it.
	const distanceMs = Math.min(Math.abs(tookMs - ms), 4 * deviationMs);
	const usual = {
		ms: ms + (tookMs - ms) / 8,
		deviationMs: deviationMs + (distanceMs - deviationMs) / 4,
	};
	const extraRoomMs = Math.max(0, limit.extraRoomMs - roomBackMs);
	return { ...limit, uses: inOrder(uses, limit), usual, extraRoomMs };
}

function inOrder(uses: readonly Use[], rates: Rates): readonly Use[] {
	return [...uses].sort((one, other) => one.from - other.from).slice(-3 * all(rates));
}
