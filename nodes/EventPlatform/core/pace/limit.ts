import { openingMs, unknownTravel, type Travel } from './travel';

/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * Five requests a second are five places, each of which may be used again a second later. While all
 * processes of a token together use no more places than there are, none is refused, whether the
 * limiter counts in a sliding window, a fixed one or a bucket of tokens, and whatever moments the
 * processes choose. They cannot talk to each other, so each finds its share by itself: a process
 * that is refused has a place too many and gives it up; now and then it tries one more, and keeps it
 * if it is not refused; and now and then it leaves one empty, so that one who has none gets in.
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
	/** When one more place is tried. */
	readonly nextTryAt: number;
	/** Nothing leaves before. */
	readonly pausedUntil: number;
	readonly refusedAt: number;
	/** When the request left whose refusal last cost a place. */
	readonly lostAt: number;
	/** After how many uses a place is left empty once. */
	readonly emptyIn: number;
	/** Since when every answer counted fewer requests than are allowed. */
	readonly roomSince: number;
	/** What answers count is not believed before. */
	readonly doubtUntil: number;
	/** The part of the usual time between tries: it grows with every refusal, up to all of it. */
	readonly patience: number;
	readonly travel: Travel;
}

export interface Use {
	/** Absent where a place was left empty. */
	readonly sentAt?: number;
	/** Its second begins: the request left, or as much later as it may have been late on its way. */
	readonly from: number;
	readonly isTry?: boolean;
	/** The place had not been used for a while, so the connection may have had to be opened. */
	readonly isOpening?: boolean;
	/** How long its answer then took. */
	readonly tookMs?: number;
}

/** From 0 to 1. Without chance, processes that were refused together would try again together. */
export type Random = () => number;

// The figures are those of `npm run bench -- pace`: means over the limiters and seeds.
export const windowMs = 1_000;
/**
 * Without a place, one is tried about so often: half to one and a half times as long. Half: twelve
 * processes are refused 28 % instead of 20 %. Twice: the worst off of twelve behind a sliding window
 * has 28 % of a fair share instead of 48 %.
 */
export const firstTryMs = 7_000;
/**
 * With places, one more is tried about so often. Half: five processes are refused 10 % instead of
 * 8 %. Twice: whoever is left alone and told nothing needs 34 s instead of 14 s to have all again.
 */
const nextTryMs = 19_000;
/**
 * A new process tries eight times as often, and every refusal makes the time between its tries half
 * as long again. In the 30 s after it joined one that had all, it has 37 % of a fair share; with a
 * start at a quarter 33 %, without 19 %.
 */
export const leastPatience = 1 / 8;
export const morePatience = 1.5;
/**
 * Whoever has all places leaves one empty for a second after so many uses. Half: a single process
 * uses 93 % of the limit instead of 95 %. Twice: one that joins has 24 % of a fair share in its first
 * 30 s instead of 37 %.
 */
const emptyEveryAlone = 60;
/**
 * Whoever shares does so after this many uses for each place and once more, for longer. Uses, half:
 * two processes use 90 % instead of 92 %; twice: the worst off of twelve has 44 % of a fair share
 * instead of 48 %. Time, half: 41 %; twice: two processes use 89 %.
 */
export const emptyEveryShared = 12;
const emptyMs = 1_500;
/** Whoever wanted nothing for as long as a process needs to find its share begins anew. */
const memoryMs = 10_000;

export function startLimit(allowed: number, cap?: number): Limit {
	return {
		allowed,
		cap,
		places: all({ allowed, cap }),
		uses: [],
		isFresh: true,
		nextTryAt: Infinity,
		pausedUntil: -Infinity,
		refusedAt: -Infinity,
		lostAt: -Infinity,
		emptyIn: emptyEveryAlone,
		roomSince: Infinity,
		doubtUntil: -Infinity,
		patience: leastPatience,
		travel: unknownTravel,
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
	return limit.places > 0 ? (windowMs * limit.places) / spanMs(limit) : windowMs / firstTryMs;
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
	const from = limit.uses.map((use) => use.from);
	const again = (places: number) => (from.at(-places) ?? -Infinity) + spanMs(limit);
	const free = Math.min(placeFreeAt(limit), limit.nextTryAt);
	let at = Math.max(now, limit.pausedUntil, askedUntil(limit), again(all(limit)), free);
	for (let index = 0; index < ahead; index++) {
		from.push(at);
		at = Math.max(at, again(Math.max(1, limit.places)));
	}
	return at;
}

/** When a place of this process is free. */
function placeFreeAt({ places, uses, ...rates }: Limit): number {
	if (places === 0) return Infinity;
	return (uses.at(-places)?.from ?? -Infinity) + spanMs(rates);
}

/** Until when the answer to the first request is waited for. */
function askedUntil({ isFresh, uses }: Limit): number {
	const sentAt = uses.at(-1)?.sentAt;
	return isFresh && sentAt !== undefined ? sentAt + windowMs : -Infinity;
}

export function afterSending(limit: Limit, now: number, random: Random): Limit {
	const possibleAt = Math.max(earliest(limit, -Infinity), limit.uses.at(-1)?.from ?? now);
	if (now - possibleAt > memoryMs) limit = forget(limit);
	const freeAt = placeFreeAt(limit);
	const isTry = freeAt > now;
	const isOpening = now - freeAt > windowMs;
	const from = now + (isOpening ? openingMs : limit.travel.jitterMs);
	const uses = [...limit.uses, { sentAt: now, from, isTry, isOpening }];
	const isFresh = limit.isFresh && limit.uses.length === 0;
	const sent = { ...limit, isFresh, uses: inOrder(uses, limit) };
	// Should its answer never come, the next try is due all the same.
	if (isTry) return planTry(sent, now, random);
	// A place that nobody waited for was empty anyway.
	return !isOpening ? leaveEmpty(sent, now, random) : sent;
}

export function planTry(
	limit: Limit,
	now: number,
	random: Random,
	everyMs = tryEveryMs(limit),
): Limit {
	const ms = limit.patience * everyMs * (0.5 + random());
	return { ...limit, nextTryAt: isShared(limit) ? now + ms : Infinity };
}

function tryEveryMs({ places }: Limit): number {
	return places === 0 ? firstTryMs : nextTryMs;
}

/** Counts the uses of places, and leaves one empty when it is time. */
function leaveEmpty(limit: Limit, now: number, random: Random): Limit {
	if (limit.emptyIn > 1) return { ...limit, emptyIn: limit.emptyIn - 1 };
	const shared = isShared(limit);
	const from = Math.max(now, placeFreeAt(limit)) + (shared ? emptyMs - windowMs : 0);
	const uses = inOrder([...limit.uses, { from }], limit);
	const every = shared ? emptyEveryShared * (1 + limit.places) : emptyEveryAlone;
	return { ...limit, uses, emptyIn: Math.round(every * (0.75 + random() / 2)) };
}

/** Nobody wanted anything for so long that all begins anew. */
function forget({ allowed, cap, pausedUntil, travel }: Limit): Limit {
	return { ...startLimit(allowed, cap), pausedUntil, travel };
}

export function inOrder(uses: readonly Use[], rates: Rates): readonly Use[] {
	return [...uses].sort((one, other) => one.from - other.from).slice(-3 * all(rates));
}
