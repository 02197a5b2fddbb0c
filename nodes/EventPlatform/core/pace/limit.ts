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
	/** After how many uses a place is left empty, and how many of them are still to come. */
	readonly emptyEvery: number;
	readonly emptyIn: number;
	/** Since when every answer counted fewer requests than are allowed. */
	readonly roomSince: number;
	/** What answers count is not believed before. */
	readonly doubtUntil: number;
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
/** Who has no place tries for one after so long, half as long or one and a half times as long. */
const firstTryMs = 6_000;
/** Who has some tries for one more. */
const nextTryMs = 20_000;
/** For each place beyond the first so much later: who has little gets more before who has much. */
const richTryMs = 4_000;
/** A place was free, and nobody was refused for a while: the next one may be free as well. */
const calmTryMs = 4_000;
const calmMs = 10_000;
const mostUsesBetween = 48;
const leastUsesBetween = 24;
const emptyMs = 2_000;
const roomMs = 5_000;
const doubtMs = 60_000;
/** What happened longer ago says nothing about who uses the token now. */
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
		emptyEvery: mostUsesBetween,
		emptyIn: mostUsesBetween,
		roomSince: Infinity,
		doubtUntil: -Infinity,
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
	const { places, uses, pausedUntil } = limit;
	const spans = spanMs(limit);
	const from = uses.map((use) => use.from);
	let at = Math.max(
		now,
		pausedUntil,
		Math.min(placeFreeAt(limit), limit.nextTryAt),
		askedUntil(limit),
	);
	for (let index = 0; index < ahead; index++) {
		from.push(at);
		at = Math.max(at, (from.at(-Math.max(1, places)) ?? -Infinity) + spans);
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
	const possibleAt = Math.max(earliest(limit, -Infinity), limit.uses.at(-1)?.from ?? -Infinity);
	if (now - possibleAt > memoryMs) limit = forget(limit);
	const freeAt = placeFreeAt(limit);
	const isTry = freeAt > now;
	const uses = [...limit.uses, { sentAt: now, from: now + jitterMs, isTry }];
	const sent = { ...limit, uses: inOrder(uses, limit) };
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
		const pausedUntil = Math.max(limit.pausedUntil, now + (lesson.pauseMs ?? 0));
		return refused({ ...next, pausedUntil }, use, sentAt, now, random);
	}
	if (use?.isTry) return gained(next, now, random);
	if (lesson.remaining === undefined) return { ...next, isFresh: false };
	return counted(next, lesson.remaining, now, random);
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
		refusedAt: now,
		roomSince: Infinity,
		// A fixed window counts from nothing every second, so it shows room where there is none.
		doubtUntil: limit.roomSince <= now ? now + doubtMs : limit.doubtUntil,
	};
	if (use?.isTry) {
		return planTry(
			{ ...next, uses: limit.uses.filter((one) => one.sentAt !== sentAt) },
			now,
			random,
		);
	}
	// Requests that left together are refused together: that is one lesson.
	if (sentAt <= limit.lostAt) return next;
	const lost: Limit = {
		...next,
		places: placesAfterLoss(limit),
		lostAt: sentAt,
		emptyEvery: Math.max(leastUsesBetween, limit.emptyEvery / 2),
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
	const next = { ...limit, places, roomSince: Infinity };
	const isCalm = now - limit.refusedAt > calmMs;
	return planTry(next, now, random, isCalm ? calmTryMs : undefined);
}

/** After an answer that says how many more requests would have been allowed. */
function counted(limit: Limit, remaining: number, now: number, random: Random): Limit {
	const { isFresh, doubtUntil, nextTryAt } = limit;
	if (isFresh) {
		const places = Math.min(all(limit), 1 + Math.floor(remaining));
		return planTry({ ...limit, places, isFresh: false }, now, random);
	}
	const roomSince = remaining >= 1 ? Math.min(limit.roomSince, now) : Infinity;
	const isTimeToTry = now - roomSince > roomMs && now >= doubtUntil && isShared(limit);
	return { ...limit, roomSince, nextTryAt: isTimeToTry ? Math.min(nextTryAt, now) : nextTryAt };
}

function planTry(limit: Limit, now: number, random: Random, ms = tryEveryMs(limit)): Limit {
	if (!isShared(limit)) return { ...limit, nextTryAt: Infinity };
	return { ...limit, nextTryAt: now + ms * (0.5 + random()) };
}

function tryEveryMs({ places }: Limit): number {
	return places === 0 ? firstTryMs : nextTryMs + richTryMs * (places - 1);
}

/** Counts the uses of places, and leaves one empty when it is time. */
function leaveEmpty(limit: Limit, now: number, random: Random): Limit {
	if (limit.emptyIn > 1) return { ...limit, emptyIn: limit.emptyIn - 1 };
	const emptyEvery = Math.min(mostUsesBetween, limit.emptyEvery * 2);
	const ms = isShared(limit) ? emptyMs : windowMs;
	const from = Math.max(now, placeFreeAt(limit)) + ms - windowMs;
	return {
		...limit,
		uses: inOrder([...limit.uses, { from }], limit),
		emptyEvery,
		emptyIn: Math.round(emptyEvery * (0.75 + random() / 2)),
	};
}

/** Nobody wanted anything for so long that all begins anew. */
function forget({ allowed, cap, pausedUntil }: Limit): Limit {
	return { ...startLimit(allowed, cap), pausedUntil };
}

function inOrder(uses: readonly Use[], rates: Rates): readonly Use[] {
	return [...uses].sort((one, other) => one.from - other.from).slice(-3 * all(rates));
}
