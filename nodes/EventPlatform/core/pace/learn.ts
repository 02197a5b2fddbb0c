import { afterDate } from './exchange';
import {
	all,
	inOrder,
	isShared,
	planClaim,
	withRates,
	windowMs,
	type Limit,
	type Random,
} from './limit';
import { afterLateness, afterRoundTrip, latenessMs, openingLatenessMs } from './travel';

/** What an answer says about the limit. */
export interface Lesson {
	isRefused: boolean;
	/** Requests per second that the platform allows, and how many of them are left. */
	allowed?: number;
	remaining?: number;
	/** How long the platform asks to wait. */
	pauseMs?: number;
	/** The second of the platform's clock in which it answered. */
	date?: number;
}

/**
 * Room that answers show for so long is claimed at once. Twice: whoever is left alone by another needs
 * 16 s instead of 11 s to have all again. Half: eight processes are refused 12 % instead of 11 %.
 */
const roomMs = 6_000;
/**
 * After a refusal it takes so much longer: a limiter that counts from nothing every second shows room
 * where there is none. Without: eight processes are refused 22 % instead of 11 %.
 */
const doubtMs = 16_000;
/** Retry-After counts in whole seconds, so a limit per second may ask for two. */
const longestSecondMs = 2_000;

/** What an answer teaches. `sentAt`: when its request left. */
export function afterAnswer(
	before: Limit,
	lesson: Lesson,
	sentAt: number,
	now: number,
	random: Random,
): Limit {
	const { isRefused, pauseMs = 0, date } = lesson;
	const rates = { cap: before.cap, allowed: lesson.allowed || before.allowed };
	const limit: Limit = {
		...arrived(withRates(before, rates), sentAt, now),
		isFresh: false,
		pausedUntil: isRefused ? Math.max(before.pausedUntil, now + pauseMs) : before.pausedUntil,
		difference:
			date === undefined ? before.difference : afterDate(before.difference, date, sentAt, now),
	};
	// A pause of many seconds is not about the places of one.
	if (isRefused && pauseMs > longestSecondMs) return limit;
	const isClaim = before.uses.some((use) => use.sentAt === sentAt && use.isClaim);
	if (!isRefused) {
		if (isClaim) return gained(limit, now, random);
		return counted(limit, lesson, before.isFresh, now, random);
	}
	const doubting = { ...limit, fullUntil: now + roomMs + doubtMs };
	if (isClaim) return refusedClaim(doubting, now, random);
	return lost(doubting, before.isFresh, now, random);
}

/** A request that was late on its way uses its place later. */
function arrived(limit: Limit, sentAt: number, now: number): Limit {
	const tripMs = now - sentAt;
	const travel = afterRoundTrip(limit.travel, tripMs);
	const uses = limit.uses.map((use) => {
		const tookMs = use.sentAt === sentAt ? tripMs : use.tookMs;
		if (tookMs === undefined) return use;
		// How late it was shows when faster answers have come.
		if (use.isOpening)
			return { ...use, tookMs, from: use.sentAt + openingLatenessMs(travel, tookMs) };
		return { ...use, from: use.sentAt + latenessMs(limit.travel, tookMs, !isShared(limit)) };
	});
	return { ...limit, uses: inOrder(uses, limit), travel };
}

function refusedClaim(limit: Limit, now: number, random: Random): Limit {
	const misses = limit.places === 0 ? limit.misses + 1 : 0;
	return planClaim({ ...limit, refusals: limit.refusals + 1, misses }, now, random);
}

function lost(limit: Limit, isFirst: boolean, now: number, random: Random): Limit {
	// The very first request: nothing is free, for a moment or for longer.
	if (isFirst) return { ...limit, places: 0, claimAt: now + windowMs * (0.5 + random()) };
	// Whoever was alone was late: two requests arrived closer together than they left.
	const travel = isShared(limit) ? limit.travel : afterLateness(limit.travel);
	// The first time, more room between them may do. Losing a place costs the fifth part of 7 s or more.
	if (!isShared(limit) && limit.travel.isEven) return { ...limit, travel };
	return planClaim({ ...limit, places: Math.max(0, limit.places - 1), travel }, now, random);
}

function gained(limit: Limit, now: number, random: Random): Limit {
	const places = Math.min(all(limit), limit.places + 1);
	// Where places go round, a first one does not say that there is a second.
	const refusals = limit.places > 0 ? 0 : limit.refusals;
	return planClaim({ ...limit, places, refusals, misses: 0 }, now, random);
}

/** After an answer that says how many more requests would have been allowed. */
function counted(
	limit: Limit,
	{ remaining }: Lesson,
	isFirst: boolean,
	now: number,
	random: Random,
): Limit {
	if (remaining === undefined) return limit;
	const left = Math.min(limit.places, 1 + remaining);
	if (isFirst) return planClaim({ ...limit, places: left }, now, random);
	if (remaining < 1) return { ...limit, fullUntil: Math.max(limit.fullUntil, now + roomMs) };
	if (now < limit.fullUntil || !isShared(limit)) return limit;
	return { ...limit, claimAt: Math.min(limit.claimAt, now), fullUntil: now + roomMs };
}
