import type { Rhythm } from './rhythm';

/**
 * How many places of the limit a process uses while others use the same token: what they leave, and
 * no more than about half of all.
 */

/** Every place has come up once in this time, and a little more. */
const roundMs = 2_000;
/** Whoever was not counted for so long has stopped. */
const goneMs = 1_600;
/** A refusal so soon after a place was added is about that place. */
const trialMs = 3_000;
/** The next trial of a place that was not free comes no sooner. */
const holdMs = 6_000;
/** Told nothing of others, one more place is tried after so long without a refusal. */
const patienceMs = 5_000;
/** A margin is taken back after so long without a refusal. */
const calmMs = 10_000;
export const leastMarginMs = 22;

/** A limit below one a second means one in a longer while. */
export function placesOf(limit: number): number {
	return Math.max(1, Math.floor(limit));
}

export function isShared({ places, limit }: Rhythm): boolean {
	return places < placesOf(limit);
}

/** Others are there. Who came first has the odd place. */
export function half(rhythm: Rhythm, cameLater: boolean, now: number): Rhythm {
	const part = placesOf(rhythm.limit) / 2;
	return withPlaces(rhythm, cameLater ? Math.floor(part) : Math.ceil(part), now);
}

/** After an answer that counted `others` in its second. */
export function share(rhythm: Rhythm, others: number, now: number): Rhythm {
	const { limit, places, refusedAt, changedAt } = rhythm;
	const all = placesOf(limit);
	const seen = [...rhythm.seen.filter(({ at }) => now - at < roundMs), { at: now, others }];
	const next = { ...rhythm, seen, othersAt: others > 0 ? now : rhythm.othersAt };
	const quietSince = Math.max(next.othersAt, refusedAt, changedAt);
	if (now - quietSince > goneMs) return withPlaces(next, all, now);
	const most = Math.max(...seen.map((one) => one.others));
	// Who has little takes what is left before who has much.
	if (most + places < all) return rise(next, now, 1_500 + 1_000 * places);
	const hasMore = places > most + 1 && now - changedAt > roundMs;
	return hasMore ? withPlaces(next, places - 1, now) : next;
}

/** After an answer that counted nothing: only a refusal would tell of others. */
export function probe(rhythm: Rhythm, now: number): Rhythm {
	return isShared(rhythm) ? rise(rhythm, now, patienceMs) : relax(rhythm, now);
}

/**
 * Refused while sharing: the place that was added last was not free, or there are more of us. Once may
 * be a request that was late on its way, unless so many share that a second place is one too many.
 */
export function yieldPlace(rhythm: Rhythm, now: number): Rhythm {
	const { places, raisedAt, refusals } = rhythm;
	const isTrial = now - raisedAt < trialMs;
	if (refusals < 2 && !(isTrial && places <= 2)) return rhythm;
	const fewer = withPlaces(rhythm, places - 1, now);
	if (!isTrial) return { ...fewer, refusals: 0 };
	return { ...fewer, raisedAt: -Infinity, holdUntil: now + holdMs };
}

/** A bad moment is no reason for a slow day. */
export function relax(rhythm: Rhythm, now: number): Rhythm {
	const { marginMs, changedAt } = rhythm;
	if (marginMs <= leastMarginMs || now - changedAt < calmMs) return rhythm;
	return { ...rhythm, marginMs: Math.max(leastMarginMs, marginMs - 25), changedAt: now };
}

/** One more place, after so long without a change or a refusal. */
function rise(rhythm: Rhythm, now: number, quietMs: number): Rhythm {
	const { changedAt, refusedAt, holdUntil, places } = rhythm;
	if (now - Math.max(changedAt, refusedAt) < quietMs || now < holdUntil) return rhythm;
	return { ...withPlaces(rhythm, places + 1, now), raisedAt: now };
}

function withPlaces(rhythm: Rhythm, places: number, now: number): Rhythm {
	return { ...rhythm, places: Math.max(1, places), seen: [], changedAt: now };
}
