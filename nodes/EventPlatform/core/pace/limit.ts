import {
	claimAfterMs,
	exchangeEveryMs,
	exchangeFrom,
	restMs,
	unknownDifference,
	type ClockDifference,
} from './exchange';
import { afterPause, apartMs, openingMs, unknownTravel, type Travel } from './travel';

/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * Five requests a second are five places, each of which may be used again a second later. While all
 * processes of a token together use no more places than there are, none is refused, whether the
 * limiter counts in a sliding window, a fixed one or a bucket of tokens, and whatever moments the
 * processes choose. They cannot talk to each other, so each finds its share by itself: a process
 * that is refused has a place too many and gives it up. At every exchange it lets one of its places
 * rest, so that one who has fewer may claim it, and uses it again where nobody did.
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
	/** No answer has come yet: one request asks before the others follow. */
	readonly isFresh: boolean;
	/** When one more place is claimed. */
	readonly claimAt: number;
	/** Claims that were refused since the last one that brought a second place or a further one. */
	readonly refusals: number;
	/** Claims in a row that were refused while there was no place. */
	readonly misses: number;
	/** Room that answers show is not believed before. */
	readonly fullUntil: number;
	/** Nothing leaves before. */
	readonly pausedUntil: number;
	readonly travel: Travel;
	readonly difference: ClockDifference;
}

export interface Use {
	readonly sentAt: number;
	/** Its second begins: the request left, or as much later as it may have been late on its way. */
	readonly from: number;
	readonly isClaim: boolean;
	/** The place had not been used for a while, so the connection may have had to be opened. */
	readonly isOpening: boolean;
	/** How long its answer then took. */
	readonly tookMs?: number;
}

/** From 0 to 1. Without chance, processes that were refused together would claim together again. */
export type Random = () => number;

// The figures are those of `npm run bench -- pace`: means over the limiters and seeds.
export const windowMs = 1_000;
/**
 * Whoever has all places lets one rest at every second exchange. At each: a single process uses 94.9 %
 * of the limit instead of 95.4 %. At every fourth: one that joins has 39 % of a fair share in its first
 * half minute instead of 60 %.
 */
const aloneEvery = 2;
/**
 * After every refused claim one more exchange passes before the next, up to so many. Three: five
 * processes are refused 5 % instead of 3 %.
 */
const mostSkipped = 6;
/** So many missed exchanges mean that our clock is not that of the others: any moment is as good. */
const mostMisses = 5;
/** Whoever wanted nothing for as long as a process needs to find its share begins anew. */
const memoryMs = 10_000;

export function startLimit(allowed: number, cap?: number): Limit {
	return {
		allowed,
		cap,
		places: all({ allowed, cap }),
		uses: [],
		isFresh: true,
		claimAt: Infinity,
		refusals: 0,
		misses: 0,
		fullUntil: -Infinity,
		pausedUntil: -Infinity,
		travel: unknownTravel,
		difference: unknownDifference,
	};
}

type Rates = Pick<Limit, 'allowed' | 'cap'>;

function rate({ allowed, cap = Infinity }: Rates): number {
	return Math.min(allowed, cap);
}

/** All places that there are for this process. Half a request a second is one place every two seconds. */
export function all(rates: Rates): number {
	return Math.ceil(rate(rates));
}

/** How long after a use the place may be used again. */
function spanMs(rates: Rates): number {
	return (windowMs * all(rates)) / rate(rates);
}

/** Requests per second that this process may send now. */
export function perSecond(limit: Limit): number {
	return limit.places > 0 ? (windowMs * limit.places) / spanMs(limit) : windowMs / exchangeEveryMs;
}

/** Another limit or cap. Who shares keeps what it has. */
export function withRates(limit: Limit, rates: Rates): Limit {
	const most = all(rates);
	const places = isShared(limit) ? Math.min(most, limit.places) : most;
	return { ...limit, allowed: rates.allowed, cap: rates.cap, places };
}

export function isShared(limit: Limit): boolean {
	return limit.places < all(limit);
}

/** The earliest moment for the request that has `ahead` others before it. */
export function earliest(limit: Limit, now: number, ahead = 0): number {
	const before: number[] = [];
	const from = (place: number) =>
		before.at(-place) ?? limit.uses.at(before.length - place)?.from ?? -Infinity;
	const again = (places: number) => from(places) + spanMs(limit);
	const free = Math.min(placeFreeAt(limit, now), limit.claimAt);
	let at = Math.max(now, limit.pausedUntil, askedUntil(limit), again(all(limit)), free);
	for (let index = 0; index < ahead; index++) {
		before.push(at);
		at = Math.max(at, again(Math.max(1, limit.places)));
	}
	return at;
}

/** When a place of this process is free, as it looks at this moment. */
function placeFreeAt(limit: Limit, now: number): number {
	const { places, uses, travel, difference } = limit;
	if (places === 0) return Infinity;
	const usual = (uses.at(-places)?.from ?? -Infinity) + spanMs(limit);
	const backMs = restMs(places);
	const exchange = exchangeFrom(now - backMs, difference);
	const isResting =
		isShared(limit) || (limit.cap === undefined && exchange.count % aloneEvery === 0);
	// Whoever has little to send leaves places empty anyway.
	const isIdle = now - usual > windowMs;
	const isLater =
		Math.max(now, usual) <= exchange.at - windowMs - apartMs(travel, !isShared(limit));
	if (!isResting || isIdle || isLater) return usual;
	// Until it is used again only the others are, so that one is free at the exchange.
	const other = places === 1 ? Infinity : (uses.at(1 - places)?.from ?? -Infinity) + spanMs(limit);
	return other <= exchange.at ? usual : Math.min(other, Math.max(usual, exchange.at + backMs));
}

/** Until when the answer to the first request is waited for. */
function askedUntil({ isFresh, uses }: Limit): number {
	const sentAt = uses.at(-1)?.sentAt;
	return isFresh && sentAt !== undefined ? sentAt + windowMs : -Infinity;
}

export function afterSending(limit: Limit, now: number, random: Random): Limit {
	const possibleAt = Math.max(earliest(limit, -Infinity), limit.uses.at(-1)?.from ?? now);
	if (now - possibleAt > memoryMs) limit = forget(limit);
	const freeAt = placeFreeAt(limit, now);
	const isClaim = freeAt > now;
	const isOpening = now - freeAt > windowMs;
	const from = now + (isOpening ? openingMs : apartMs(limit.travel, !isShared(limit)));
	const uses = [...limit.uses, { sentAt: now, from, isClaim, isOpening }];
	const isFresh = limit.isFresh && limit.uses.length === 0;
	const sent = { ...limit, isFresh, uses: inOrder(uses, limit) };
	// Should its answer never come, the next claim is due all the same.
	return isClaim ? planClaim(sent, now, random) : sent;
}

/** When one more place is claimed. */
export function planClaim(limit: Limit, now: number, random: Random): Limit {
	if (!isShared(limit)) return { ...limit, claimAt: Infinity };
	if (limit.misses >= mostMisses) return { ...limit, claimAt: now + exchangeEveryMs * random() };
	const skipped = Math.floor(Math.min(limit.refusals, mostSkipped) * (0.5 + random()));
	// Whoever has nothing never stands back.
	const skippedMs = limit.places === 0 ? 0 : skipped * exchangeEveryMs;
	const exchange = exchangeFrom(now, limit.difference);
	return { ...limit, claimAt: exchange.at + skippedMs + claimAfterMs(limit.places, random) };
}

/** Nobody wanted anything for so long that all begins anew. */
function forget({ allowed, cap, pausedUntil, travel, difference }: Limit): Limit {
	return { ...startLimit(allowed, cap), pausedUntil, travel: afterPause(travel), difference };
}

export function inOrder(uses: readonly Use[], rates: Rates): readonly Use[] {
	return [...uses].sort((one, other) => one.from - other.from).slice(-3 * all(rates));
}
