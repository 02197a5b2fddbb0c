import { afterRoundTrip, jitterMs, latenessMs, type Travel } from './travel';

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
	readonly travel?: Travel;
}

interface Use {
	/** Absent where a place was left empty. */
	readonly sentAt?: number;
	/** Its second begins: the request left, or as much later as it may have been late on its way. */
	readonly from: number;
	readonly isTry?: boolean;
}

/** What an answer says about the limit. */
export interface Lesson {
	isRefused: boolean;
	/** Requests per second that the platform allows, and how many of them are left. */
	allowed?: number;
	remaining?: number;
	/** How long the platform asks to wait. */
	pauseMs?: number;
}

/** From 0 to 1. Without chance, processes that were refused together would try again together. */
export type Random = () => number;

const windowMs = 1_000;
/**
 * Without a place, one is tried about so often (half to one and a half times as long). Half: twelve
 * processes are refused 28 % instead of 20 %; twice: the worst off of them gets 28 % of a fair share
 * instead of 46 %.
 */
const firstTryMs = 7_000;
/**
 * With places, one more is tried about so often. Half: five processes are refused 10 % instead of
 * 8 %; twice: whoever is left alone and told nothing needs 29 s instead of 19 s to have all again.
 */
const nextTryMs = 20_000;
/**
 * A new process tries eight times as often, and every refusal makes the time between its tries half
 * as long again: ten seconds after the first, the second of two has 70 % of a fair share in the
 * seconds that follow. With a start at a quarter that doubles it has 30 %.
 */
const leastPatience = 1 / 8;
const morePatience = 1.5;
/**
 * An accepted try so long after the last refusal says that more places may be free: the next one
 * comes in a quarter of the time. Half as long: twelve processes are refused 24 % instead of 20 %.
 * Without it, whoever is left alone and told nothing needs 28 s instead of 19 s.
 */
const calmMs = 10_000;
const calmPatience = 1 / 4;
/**
 * Whoever has all places leaves one empty for a second once in so many uses. Half: a single process
 * uses 93 % of the limit instead of 95 %; never: a second one might not get in for minutes.
 */
const emptyEveryAlone = 60;
/**
 * Whoever shares leaves one empty for longer, and more often. Half as long: the worst off of twelve
 * has 39 % of a fair share instead of 46 %; twice: two processes use 89 % instead of 92 %.
 */
const emptyEveryShared = 12;
const emptyMs = 1_500;
/** Answers that show room for longer than a place is left empty are a reason to try at once. */
const roomMs = 1_200;
/**
 * An answer that shows none puts the next try off. Half: two processes behind a sliding window that
 * tells what remains are refused 2.6 % instead of 0.3 %.
 */
const fullMs = 4_000;
/**
 * After a refusal in spite of room, what answers count is not believed for so long. Half: two
 * processes behind a fixed window are refused 4.0 % instead of 3.3 %; twice: whoever is left alone
 * behind a bucket needs 19 s instead of 12 s.
 */
const doubtMs = 45_000;
/** Retry-After counts in whole seconds, so a limit per second may ask for two. */
const longestSecondMs = 2_000;
/** Two rounds of a process that has one place of 0.2 a second: who was idle longer begins anew. */
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

function isShared(limit: Limit): boolean {
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
	const uses = [...limit.uses, { sentAt: now, from: now + jitterMs, isTry }];
	const isFresh = limit.isFresh && limit.uses.length === 0;
	const sent = { ...limit, isFresh, uses: inOrder(uses, limit) };
	// Should its answer never come, the next try is due all the same.
	if (isTry) return planTry(sent, now, random);
	// A place that nobody waited for was empty anyway.
	return now - freeAt < windowMs ? leaveEmpty(sent, now, random) : sent;
}

/** What an answer teaches. `sentAt`: when its request left. */
export function afterAnswer(
	limit: Limit,
	lesson: Lesson,
	sentAt: number,
	now: number,
	random: Random,
): Limit {
	const use = limit.uses.find((one) => one.sentAt === sentAt);
	const rates = { cap: limit.cap, allowed: lesson.allowed || limit.allowed };
	const next = arrived(withRates(limit, rates), sentAt, now);
	if (lesson.isRefused) {
		const { pauseMs = 0 } = lesson;
		const paused = { ...next, pausedUntil: Math.max(limit.pausedUntil, now + pauseMs) };
		// A pause of many seconds is not about the places of one.
		return pauseMs > longestSecondMs ? paused : refused(paused, use, sentAt, now, random);
	}
	if (use?.isTry) return gained(next, now, random);
	const { remaining } = lesson;
	if (remaining === undefined) return { ...next, isFresh: false };
	return counted(next, { remaining, sentAt }, now, random);
}

/** A request that was late on its way uses its place later. */
function arrived(limit: Limit, sentAt: number, now: number): Limit {
	const from = sentAt + latenessMs(limit.travel, now - sentAt);
	const uses = limit.uses.map((use) => (use.sentAt === sentAt ? { ...use, from } : use));
	return {
		...limit,
		uses: inOrder(uses, limit),
		travel: afterRoundTrip(limit.travel, now - sentAt),
	};
}

function refused(
	limit: Limit,
	use: Use | undefined,
	sentAt: number,
	now: number,
	random: Random,
): Limit {
	const next: Limit = {
		...limit,
		isFresh: false,
		patience: Math.min(1, limit.patience * morePatience),
		refusedAt: now,
		roomSince: Infinity,
		// A fixed window counts from nothing every second, so it shows room where there is none.
		doubtUntil: limit.roomSince <= now ? now + doubtMs : limit.doubtUntil,
	};
	if (use?.isTry) return planTry(next, now, random);
	// Requests that left together are refused together: that is one lesson.
	if (sentAt <= limit.lostAt) return next;
	const lost: Limit = {
		...next,
		places: placesAfterLoss(limit),
		lostAt: sentAt,
		emptyIn: Math.min(limit.emptyIn, emptyEveryShared),
	};
	return planTry(lost, now, random, firstTryMs);
}

function placesAfterLoss({ places, isFresh, ...rates }: Limit): number {
	// The very first request: nothing is free at all.
	if (isFresh) return 0;
	// Whoever had all of them thought itself alone.
	return places === all(rates) ? Math.floor(places / 2) : Math.max(0, places - 1);
}

function gained(limit: Limit, now: number, random: Random): Limit {
	const places = Math.min(all(limit), limit.places + 1);
	const patience =
		now - limit.refusedAt > calmMs ? Math.min(limit.patience, calmPatience) : limit.patience;
	return planTry({ ...limit, places, patience, roomSince: Infinity }, now, random);
}

/** After an answer that says how many more requests would have been allowed. */
function counted(limit: Limit, told: Told, now: number, random: Random): Limit {
	const { remaining, sentAt } = told;
	const others = limit.allowed - remaining - ownAround(limit, sentAt);
	if (others > 0 && !isShared(limit) && all(limit) > 1) {
		const places = Math.min(Math.floor(all(limit) / 2), limit.isFresh ? 1 + remaining : Infinity);
		return planTry({ ...limit, places, isFresh: false }, now, random);
	}
	const next = { ...limit, isFresh: false };
	if (remaining < 1) {
		return { ...next, roomSince: Infinity, nextTryAt: Math.max(limit.nextTryAt, now + fullMs) };
	}
	next.roomSince = Math.min(limit.roomSince, now);
	if (!isShared(next) || now < limit.doubtUntil || now - next.roomSince < roomMs * Math.max(1, limit.places)) return next;
	return { ...next, nextTryAt: Math.min(limit.nextTryAt, now) };
}

interface Told {
	remaining: number;
	sentAt: number;
}

/** How many requests of this process the platform may have counted when it saw the one sent then. */
function ownAround({ uses }: Limit, at: number): number {
	const near = uses.filter(
		({ sentAt, from }) =>
			sentAt !== undefined && from > at - windowMs - jitterMs && sentAt <= at + jitterMs,
	);
	return near.length;
}

function planTry(limit: Limit, now: number, random: Random, everyMs = tryEveryMs(limit)): Limit {
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
function forget({ allowed, cap, pausedUntil }: Limit): Limit {
	return { ...startLimit(allowed, cap), pausedUntil };
}

function inOrder(uses: readonly Use[], rates: Rates): readonly Use[] {
	return [...uses].sort((one, other) => one.from - other.from).slice(-3 * all(rates));
}
