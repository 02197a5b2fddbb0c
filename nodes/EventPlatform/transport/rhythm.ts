import type { Answer } from './ports';
import { isMonthSpent, readQuota } from './quota';

/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * Alone on a token, `limit` requests leave in any second, in a burst where there was a rest. Where
 * others use the token too, `perSecond` falls by a part and rises by a step, so that all who do the
 * same end up with the same, and requests leave one by one.
 */
export interface Rhythm {
	/** What the platform allows per second. */
	readonly limit: number;
	/** What is used of it: less than the limit while others use the token too. */
	readonly perSecond: number;
	/** Added to a second, because requests do not travel equally fast. */
	readonly marginMs: number;
	/** The latest places in time that were taken, oldest first. */
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
	/** When the share was last changed, in either direction. */
	readonly changedAt: number;
	readonly refusedAt: number;
	/** How many refusals came shortly after one another. */
	readonly refusals: number;
	/** When others were last seen to use the token. */
	readonly othersAt: number;
	/** How many answers in a row counted more requests than our own; absent while none says its count. */
	readonly foreign?: number;
	readonly monthlyLimit?: number;
	readonly monthlyRemaining?: number;
}

const windowMs = 1_000;
const leastMarginMs = 30;
const mostMarginMs = 105;
/** How far apart two requests may arrive that left together. */
const jitterMs = 60;
/** The first request after a rest travels longer: the connection has to be opened. */
const openingMs = 100;
/** What happened longer ago says nothing about who uses the token now. */
const memoryMs = 10_000;
/** Whoever was refused is back by then. */
const quietMs = 3_000;
/** A spent month is asked about again now and then: a larger plan ends it at once. */
const spentMs = 60_000;
/** Parts of the limit. */
const leastShare = 0.1;
const firstShare = 0.5;
const step = 0.02;
/**
 * Of so many slots one stays empty. Without it, whoever comes later would be refused every time,
 * and whoever came first would never know.
 */
const openSlotEvery = 40;

export function startRhythm(perSecond: number): Rhythm {
	return {
		limit: perSecond,
		perSecond,
		marginMs: leastMarginMs,
		slots: [],
		sent: [],
		busy: 0,
		pausedUntil: -Infinity,
		spentUntil: -Infinity,
		changedAt: -Infinity,
		refusedAt: -Infinity,
		refusals: 0,
		othersAt: -Infinity,
	};
}

/** The earliest moment for the request that has `ahead` others before it. */
export function slot(rhythm: Rhythm, now: number, ahead = 0): number {
	const { pausedUntil, slots } = rhythm;
	const burst = burstOf(rhythm);
	const spanMs = spanOf(rhythm);
	const times = slots.slice(-burst);
	let at = now;
	for (let index = 0; index <= ahead; index++) {
		const before = times[times.length - burst];
		at = Math.max(at, pausedUntil, before === undefined ? -Infinity : before + spanMs);
		times.push(at);
	}
	return at;
}

export function afterSending(rhythm: Rhythm, now: number): Rhythm {
	const { slots, sent } = rhythm;
	const before = slots[slots.length - burstOf(rhythm)];
	const rested = before === undefined || now - before > 2 * spanOf(rhythm);
	const busy = rested ? 0 : rhythm.busy + 1;
	const kept = Math.ceil(rhythm.limit) * 3;
	const next = {
		...rhythm,
		slots: [...slots, rested ? now + openingMs : now].slice(-kept),
		sent: [...sent, now].slice(-kept),
		busy,
	};
	if (busy < openSlotEvery || isShared(rhythm)) return next;
	return { ...next, slots: [...next.slots, slot(next, now)], busy: 0 };
}

/** How many may leave together. A limit below one a second means one in a longer while. */
function burstOf(rhythm: Rhythm): number {
	return isShared(rhythm) ? 1 : Math.max(1, Math.floor(rhythm.limit));
}

/** How long after a request the one that takes its place may leave. */
function spanOf(rhythm: Rhythm): number {
	const burst = burstOf(rhythm);
	return (windowMs * burst) / rhythm.perSecond + (rhythm.marginMs * burst) / rhythm.limit;
}

/** What an answer teaches. `sentAt`: when its request left. */
export function learn(rhythm: Rhythm, answer: Answer, sentAt: number, now: number): Rhythm {
	const quota = readQuota(answer, now);
	const limit = quota.intervalLimit || rhythm.limit;
	const known: Rhythm = {
		...rhythm,
		limit,
		perSecond: isShared(rhythm) ? Math.min(limit, rhythm.perSecond) : limit,
		monthlyLimit: quota.monthlyLimit ?? rhythm.monthlyLimit,
		monthlyRemaining: quota.monthlyRemaining ?? rhythm.monthlyRemaining,
	};
	if (isMonthSpent(answer, now)) return spent(known, quota.retryAt, now);
	if (answer.status === 429) return refused(known, quota.retryAt, sentAt, now);
	if (quota.intervalRemaining === undefined) return rise(known, now);
	const own = ownBefore(rhythm, sentAt);
	const others = limit - quota.intervalRemaining - own;
	// Once may be an answer that overtook another.
	const foreign = others > 0 ? (known.foreign ?? 0) + 1 : 0;
	if (foreign < 2) return rise({ ...known, foreign }, now);
	const crowded = { ...known, foreign, othersAt: now };
	if (quota.intervalRemaining > 0) return rise(crowded, now);
	// Nothing is left: who has more than the others gives way, who has less stays.
	return own > others || !isShared(crowded) ? fall(crowded, 0.9, now) : crowded;
}

function isShared({ perSecond, limit }: Rhythm): boolean {
	return perSecond < limit;
}

/** How many requests of ours the platform may have counted when it saw the one that left at `sentAt`. */
function ownBefore({ sent }: Rhythm, sentAt: number): number {
	const from = sentAt - windowMs - jitterMs;
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
	const others = isShared(rhythm) || now - rhythm.othersAt < memoryMs || next.refusals >= 3;
	if (others) return fall(next, 0.8, now);
	// Alone, it means that two requests arrived closer together than they left.
	const marginMs = Math.min(mostMarginMs, rhythm.marginMs + 30);
	return { ...next, marginMs, changedAt: now };
}

function fall(rhythm: Rhythm, part: number, now: number): Rhythm {
	const { limit, perSecond, changedAt } = rhythm;
	if (!isShared(rhythm)) return { ...rhythm, perSecond: limit * firstShare, changedAt: now };
	if (now - changedAt < windowMs) return rhythm;
	return { ...rhythm, perSecond: Math.max(limit * leastShare, perSecond * part), changedAt: now };
}

/** A step for every quiet second; the whole way when the platform counts nobody else. */
function rise(rhythm: Rhythm, now: number): Rhythm {
	const { limit, perSecond, changedAt, refusedAt, othersAt, foreign } = rhythm;
	if (!isShared(rhythm)) return relax(rhythm, now);
	if (now - changedAt < windowMs || now - refusedAt < quietMs) return rhythm;
	const alone = foreign === 0 && now - othersAt > quietMs;
	const gone = now - Math.max(othersAt, refusedAt) > memoryMs;
	const risen = alone ? limit : perSecond + limit * (gone ? 4 * step : step);
	return { ...rhythm, perSecond: Math.min(risen, limit), changedAt: now };
}

/** A bad moment is no reason for a slow day. */
function relax(rhythm: Rhythm, now: number): Rhythm {
	const { marginMs, changedAt } = rhythm;
	if (marginMs <= leastMarginMs || now - changedAt < memoryMs) return rhythm;
	return { ...rhythm, marginMs: Math.max(leastMarginMs, marginMs - 25), changedAt: now };
}
