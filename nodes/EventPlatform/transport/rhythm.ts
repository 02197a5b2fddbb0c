import type { Answer } from './ports';
import { isMonthSpent, readQuota } from './quota';

/**
 * When the next request may leave: the decisions of the pace, without a clock or a queue.
 *
 * Alone on a token, `limit` requests leave in any `windowMs`, in a burst where there was a rest.
 * Where others use the token too, `perSecond` falls and rises again by itself, and requests leave
 * one by one, so that all who share it can find their part.
 */
export interface Rhythm {
	/** What the platform allows per second. */
	readonly limit: number;
	/** What is used of it: less than the limit while others use the token too. */
	readonly perSecond: number;
	/** Added to the window, because requests do not travel equally fast. */
	readonly marginMs: number;
	/** When the latest requests left, oldest first. */
	readonly sent: readonly number[];
	/** Nothing leaves before. */
	readonly pausedUntil: number;
	/** The month is used up: every request before this moment would be refused. */
	readonly spentUntil: number;
	/** When the quota returns, as far as the platform said. */
	readonly returnsAt?: number;
	/** When the share was last changed, in either direction. */
	readonly changedAt: number;
	/** When other users of the token were last noticed. */
	readonly othersAt: number;
	readonly monthlyLimit?: number;
	readonly monthlyRemaining?: number;
}

const windowMs = 1_000;
const leastMarginMs = 20;
const mostMarginMs = 60;
/** Others that have not been noticed for so long are gone. */
const memoryMs = 10_000;
/** A spent month is asked about again now and then: a larger plan ends it at once. */
const spentMs = 60_000;
const leastShare = 0.5;

export function startRhythm(perSecond: number): Rhythm {
	return {
		limit: perSecond,
		perSecond,
		marginMs: leastMarginMs,
		sent: [],
		pausedUntil: -Infinity,
		spentUntil: -Infinity,
		changedAt: -Infinity,
		othersAt: -Infinity,
	};
}

/** The earliest moment for the request that has `ahead` others before it. */
export function slot(rhythm: Rhythm, now: number, ahead = 0): number {
	const { limit, perSecond, marginMs, sent, pausedUntil } = rhythm;
	const shared = perSecond < limit;
	const size = shared ? 1 : Math.max(1, Math.floor(limit));
	const spanMs = shared
		? windowMs / perSecond + marginMs / limit
		: (windowMs * size) / limit + marginMs;
	const times = sent.slice(-size);
	let at = now;
	for (let index = 0; index <= ahead; index++) {
		const before = times[times.length - size];
		at = Math.max(at, pausedUntil, before === undefined ? -Infinity : before + spanMs);
		times.push(at);
	}
	return at;
}

export function afterSending(rhythm: Rhythm, now: number): Rhythm {
	const sent = [...rhythm.sent, now].filter((at) => at > now - 3 * windowMs);
	const keep = Math.ceil(rhythm.limit) * 3;
	return { ...rhythm, sent: sent.slice(-keep) };
}

/** What an answer teaches. `sentAt`: when its request left. */
export function learn(rhythm: Rhythm, answer: Answer, sentAt: number, now: number): Rhythm {
	const quota = readQuota(answer, now);
	const limit = quota.intervalLimit && quota.intervalLimit > 0 ? quota.intervalLimit : rhythm.limit;
	const next: Rhythm = {
		...rhythm,
		limit,
		perSecond: rhythm.perSecond >= rhythm.limit ? limit : Math.min(limit, rhythm.perSecond),
		monthlyLimit: quota.monthlyLimit ?? rhythm.monthlyLimit,
		monthlyRemaining: quota.monthlyRemaining ?? rhythm.monthlyRemaining,
	};
	const used = quota.intervalRemaining === undefined ? undefined : limit - quota.intervalRemaining;
	if (answer.status === 429) return refused(next, answer, used, sentAt, now);
	const own = sentBetween(rhythm, sentAt - windowMs - mostMarginMs, now);
	const crowded = used !== undefined && used > own;
	return crowded ? yieldTo(next, limit - (used - own), now) : recover(next, now);
}

function refused(
	rhythm: Rhythm,
	answer: Answer,
	used: number | undefined,
	sentAt: number,
	now: number,
): Rhythm {
	const { retryAt } = readQuota(answer, now);
	if (isMonthSpent(answer, now)) {
		const spentUntil = Math.min(retryAt ?? Infinity, now + spentMs);
		return { ...rhythm, spentUntil, returnsAt: retryAt, monthlyRemaining: 0 };
	}
	const pausedUntil = Math.max(rhythm.pausedUntil, retryAt ?? now + windowMs);
	const paused = { ...rhythm, pausedUntil };
	// Requests that were on their way together are refused together: that is one lesson.
	if (sentAt < rhythm.changedAt) return paused;
	const own = sentBetween(rhythm, sentAt - windowMs - mostMarginMs, sentAt);
	const aloneButEarly = used !== undefined && used <= own && rhythm.perSecond >= rhythm.limit;
	if (aloneButEarly) {
		return { ...paused, marginMs: Math.min(mostMarginMs, rhythm.marginMs + 10), changedAt: now };
	}
	const perSecond = Math.max(leastShare, Math.min(rhythm.perSecond, rhythm.limit) * 0.7);
	return { ...paused, perSecond, changedAt: now, othersAt: now };
}

/** Others were noticed before anyone was refused: take a little less, down to what they leave. */
function yieldTo(rhythm: Rhythm, left: number, now: number): Rhythm {
	if (now - rhythm.changedAt < windowMs) return { ...rhythm, othersAt: now };
	if (rhythm.perSecond <= Math.max(left * 0.95, leastShare)) return recover(rhythm, now, true);
	const perSecond = Math.max(leastShare, Math.min(rhythm.perSecond, rhythm.limit * 0.99) * 0.9);
	return { ...rhythm, perSecond, changedAt: now, othersAt: now };
}

/** A step up for every second without a refusal: the same step for all who share, so it evens out. */
function recover(rhythm: Rhythm, now: number, crowded = false): Rhythm {
	const { limit, perSecond, changedAt, marginMs } = rhythm;
	const othersAt = crowded ? now : rhythm.othersAt;
	if (perSecond >= limit) {
		const calm = now - changedAt > 60 * windowMs && marginMs > leastMarginMs;
		return calm ? { ...rhythm, marginMs: marginMs - 5, changedAt: now } : { ...rhythm, othersAt };
	}
	if (now - changedAt < windowMs) return { ...rhythm, othersAt };
	const grown = perSecond + limit * 0.04;
	// Bursts return only when nobody else is there to be hurt by them.
	const most = now - othersAt < memoryMs ? limit * 0.95 : limit;
	return { ...rhythm, perSecond: Math.min(grown, most), changedAt: now, othersAt };
}

function sentBetween({ sent }: Rhythm, from: number, to: number): number {
	return sent.filter((at) => at >= from && at <= to).length;
}
