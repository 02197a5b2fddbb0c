import type { Answer } from '../http/ports';
import { isMonthSpent, readQuota } from '../http/quota';
import { half, isShared, leastMarginMs, placesOf, probe, relax, share, yieldPlace } from './share';

/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * The limit is a number of places, each of which may be used again a second later. Whoever is alone
 * on a token uses all of them. Processes that share it know nothing of each other, but as long as
 * together they use no more places than there are, nobody is refused, whatever moment each of them
 * chooses. So a share is a number of places: it shrinks where others are counted, and grows where
 * answers say that something is left over.
 */
export interface Rhythm {
	/** What the platform allows per second. */
	readonly limit: number;
	/** How many places are used: all of them, or fewer while others use the token too. */
	readonly places: number;
	/** Nothing is known of others yet: one request asks before the rest follow. */
	readonly isFresh: boolean;
	/** Added to a second, because requests do not travel equally fast. */
	readonly marginMs: number;
	/** When the places were taken, oldest first. */
	readonly slots: readonly number[];
	/** When the latest requests left that were not refused, oldest first. */
	readonly sent: readonly number[];
	/** How many requests left since the limit was last not used up. */
	readonly busy: number;
	/** Nothing leaves before. */
	readonly pausedUntil: number;
	/** The month is used up: every request before this moment would be refused. */
	readonly spentUntil: number;
	/** When the quota returns, as far as the platform said. */
	readonly returnsAt?: number;
	/** When the number of places was last changed, in either direction. */
	readonly changedAt: number;
	/** When a place was last added, and until when none may be. */
	readonly raisedAt: number;
	readonly holdUntil: number;
	readonly refusedAt: number;
	/** How many refusals came shortly after one another. */
	readonly refusals: number;
	/** When others were last seen to use the token. */
	readonly othersAt: number;
	/** What others used as the latest answers counted it, while the token is shared. */
	readonly seen: ReadonlyArray<{ at: number; others: number }>;
	/** How many answers in a row counted more requests than our own; absent while none says its count. */
	readonly foreign?: number;
	readonly monthlyLimit?: number;
	readonly monthlyRemaining?: number;
}

const windowMs = 1_000;
const mostMarginMs = 105;
const sharedMarginMs = 55;
/** How far apart two requests may arrive that left together. */
const jitterMs = 40;
/** The first request after a rest travels longer: the connection has to be opened. */
const openingMs = 100;
/** What happened longer ago says nothing about who uses the token now. */
const memoryMs = 10_000;
/** How often a fresh process looks whether its first answer is there. */
const lookMs = 30;
/** A spent month is asked about again now and then: a larger plan ends it at once. */
const spentMs = 60_000;
/**
 * Of so many slots one stays empty. Without it, whoever comes later would be refused every time,
 * and whoever came first would never know.
 */
const openSlotEvery = 40;

export function startRhythm(perSecond: number): Rhythm {
	return {
		limit: perSecond,
		places: placesOf(perSecond),
		isFresh: true,
		marginMs: leastMarginMs,
		slots: [],
		sent: [],
		busy: 0,
		pausedUntil: -Infinity,
		spentUntil: -Infinity,
		changedAt: -Infinity,
		raisedAt: -Infinity,
		holdUntil: -Infinity,
		refusedAt: -Infinity,
		refusals: 0,
		othersAt: -Infinity,
		seen: [],
	};
}

/** The earliest moment for the request that has `ahead` others before it. */
export function slot(rhythm: Rhythm, now: number, ahead = 0): number {
	const { pausedUntil, slots, sent, isFresh, places } = rhythm;
	const spanMs = spanOf(rhythm);
	// Those who share leave one by one, so that whoever looks sees what the others use.
	const gapMs = isShared(rhythm) ? (0.4 * spanMs) / places : -Infinity;
	const times = slots.slice(-places);
	const asked = sent.at(-1);
	const isAsking = isFresh && asked !== undefined && now - asked < windowMs;
	let at = isAsking ? now + lookMs : now;
	for (let index = 0; index <= ahead; index++) {
		const before = times[times.length - places] ?? -Infinity;
		const last = times[times.length - 1] ?? -Infinity;
		at = Math.max(at, pausedUntil, before + spanMs, last + gapMs);
		times.push(at);
	}
	return at;
}

export function afterSending(rhythm: Rhythm, now: number): Rhythm {
	const { slots, sent } = rhythm;
	const before = slots[slots.length - rhythm.places];
	const rested = before === undefined || now - before > 2 * spanOf(rhythm);
	const last = sent.at(-1);
	const isFresh = last === undefined ? rhythm.isFresh : now - last > memoryMs;
	const busy = rested ? 0 : rhythm.busy + 1;
	const kept = Math.ceil(rhythm.limit) * 3;
	const next = {
		...rhythm,
		isFresh,
		slots: [...slots, rested ? now + openingMs : now].slice(-kept),
		sent: [...sent, now].slice(-kept),
		busy,
	};
	if (busy < openSlotEvery || isShared(rhythm)) return next;
	return { ...next, slots: [...next.slots, slot(next, now)], busy: 0 };
}

/** How long after a request the one that takes its place may leave. */
function spanOf(rhythm: Rhythm): number {
	const { limit } = rhythm;
	// Others do not leave when we think they do.
	const marginMs = isShared(rhythm) ? Math.max(sharedMarginMs, rhythm.marginMs) : rhythm.marginMs;
	const all = placesOf(limit);
	return (windowMs * all) / limit + (marginMs * all) / limit;
}

/** Requests per second that this rhythm allows. */
export function perSecond({ limit, places }: Rhythm): number {
	return (limit * places) / placesOf(limit);
}

/** What an answer teaches. `sentAt`: when its request left. */
export function learn(rhythm: Rhythm, answer: Answer, sentAt: number, now: number): Rhythm {
	const quota = readQuota(answer, now);
	const limit = quota.intervalLimit || rhythm.limit;
	const all = placesOf(limit);
	const known: Rhythm = {
		...rhythm,
		limit,
		places: isShared(rhythm) ? Math.min(all, rhythm.places) : all,
		isFresh: false,
		monthlyLimit: quota.monthlyLimit ?? rhythm.monthlyLimit,
		monthlyRemaining: quota.monthlyRemaining ?? rhythm.monthlyRemaining,
	};
	if (isMonthSpent(answer, now)) return spent(known, quota.retryAt, now);
	if (answer.status === 429) return refused(known, quota.retryAt, sentAt, now);
	if (quota.intervalRemaining === undefined) return probe(known, now);
	const used = limit - quota.intervalRemaining;
	if (isShared(known)) {
		return share(known, used - ownBefore(known, sentAt, known.marginMs / 2), now);
	}
	const others = used - ownBefore(known, sentAt, jitterMs);
	// Once may be an answer that overtook another.
	const foreign = others > 0 ? (known.foreign ?? 0) + 1 : 0;
	if (foreign === 0 || (foreign === 1 && !rhythm.isFresh)) return relax({ ...known, foreign }, now);
	return half({ ...known, foreign: 0, othersAt: now }, rhythm.isFresh, now);
}

/** How many requests of ours the platform may have counted when it saw the one that left at `sentAt`. */
function ownBefore({ sent }: Rhythm, sentAt: number, lateMs: number): number {
	const from = sentAt - windowMs - lateMs;
	return sent.filter((at) => at > from && at <= sentAt + leastMarginMs).length;
}

function spent(rhythm: Rhythm, returnsAt: number | undefined, now: number): Rhythm {
	const spentUntil = Math.min(returnsAt ?? Infinity, now + spentMs);
	return { ...rhythm, spentUntil, returnsAt, monthlyRemaining: 0 };
}

function refused(rhythm: Rhythm, retryAt: number | undefined, sentAt: number, now: number): Rhythm {
	const isNews = sentAt > rhythm.refusedAt;
	const isRecent = now - rhythm.refusedAt < memoryMs;
	const next = {
		...rhythm,
		// Refused, so it did not count. Others may have left in the same moment.
		sent: rhythm.sent.filter((_, index) => index !== rhythm.sent.lastIndexOf(sentAt)),
		pausedUntil: Math.max(rhythm.pausedUntil, retryAt ?? now + windowMs),
		refusedAt: now,
		refusals: isRecent ? rhythm.refusals + Number(isNews) : 1,
	};
	// Requests that were on their way together are refused together: that is one lesson.
	if (!isNews) return next;
	if (isShared(rhythm)) return yieldPlace(next, now);
	// With fewer requests of our own than the limit, somebody else has used it up.
	const isProof = ownBefore(next, sentAt, jitterMs) < placesOf(rhythm.limit);
	if (isProof || next.refusals >= 3) return half(next, rhythm.isFresh, now);
	// Alone, it means that two requests arrived closer together than they left.
	const marginMs = Math.min(mostMarginMs, rhythm.marginMs + 30);
	return { ...next, marginMs, changedAt: now };
}
