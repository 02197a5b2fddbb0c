import {
	all,
	emptyEveryShared,
	firstTryMs,
	inOrder,
	isShared,
	morePatience,
	planTry,
	windowMs,
	withRates,
	type Limit,
	type Random,
	type Use,
} from './limit';
import { afterLateness, afterRoundTrip, latenessMs, openingLatenessMs, spreadMs } from './travel';

/** What an answer says about the limit. */
export interface Lesson {
	isRefused: boolean;
	/** Requests per second that the platform allows, and how many of them are left. */
	allowed?: number;
	remaining?: number;
	/** How long the platform asks to wait. */
	pauseMs?: number;
}

// The figures are those of `npm run bench -- pace`: means over the limiters and seeds.
/**
 * A try that is accepted so long after the last refusal says that more may be free: the next comes
 * in a quarter of the time. After half of it: twelve processes are refused 25 % instead of 20 %.
 * Without: whoever is left alone and told nothing needs 32 s instead of 14 s.
 */
const calmMs = 10_000;
const calmPatience = 1 / 4;
/**
 * Answers that show room for so long, times the places that one has, are a reason to try at once: who
 * has little comes first. Half: two processes behind a sliding window are refused 0.8 % instead of
 * 0.1 %. Twice: whoever is left alone behind a fixed one needs 14 s instead of 10 s.
 */
const roomMs = 1_200;
/** An answer that shows none puts the next try off. Half: the same two are refused 2.6 %. */
const fullMs = 4_000;
/**
 * After a refusal in spite of room, what answers count is not believed for so long. Half:
 * two processes behind a fixed window are refused 3.7 % instead of 3.1 %. Twice: 2.7 %, but whoever
 * is left alone behind a bucket stays so a second longer.
 */
const doubtMs = 35_000;
/** Retry-After counts in whole seconds, so a limit per second may ask for two. */
const longestSecondMs = 2_000;

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
	const tripMs = now - sentAt;
	const travel = afterRoundTrip(limit.travel, tripMs);
	const uses = limit.uses.map((use) => {
		const took = use.sentAt === sentAt ? tripMs : use.tookMs;
		if (use.sentAt === undefined || took === undefined) return use;
		// How late it was shows when faster answers have come.
		if (use.isOpening)
			return { ...use, tookMs: took, from: use.sentAt + openingLatenessMs(travel, took) };
		return { ...use, from: use.sentAt + latenessMs(limit.travel, took) };
	});
	return { ...limit, uses: inOrder(uses, limit), travel };
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
		places: placesAfterLoss(limit, now),
		lostAt: sentAt,
		emptyIn: Math.min(limit.emptyIn, emptyEveryShared),
		travel: isShared(limit) ? limit.travel : afterLateness(limit.travel),
	};
	return planTry(lost, now, random, firstTryMs);
}

function placesAfterLoss(limit: Limit, now: number): number {
	const { places, isFresh, refusedAt } = limit;
	// The very first request: nothing is free at all.
	if (isFresh) return 0;
	// One refusal may be a request that was late. With a second one, others are there.
	if (now - refusedAt < calmMs && hasMost(limit)) return Math.floor(all(limit) / 2);
	return Math.max(0, places - 1);
}

function hasMost(limit: Limit): boolean {
	return limit.places > Math.ceil(all(limit) / 2);
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
	if (others > 0 && hasMost(limit)) {
		const places = Math.min(Math.floor(all(limit) / 2), limit.isFresh ? 1 + remaining : Infinity);
		return planTry({ ...limit, places, isFresh: false }, now, random);
	}
	const next = { ...limit, isFresh: false };
	if (remaining < 1) {
		return { ...next, roomSince: Infinity, nextTryAt: Math.max(limit.nextTryAt, now + fullMs) };
	}
	next.roomSince = Math.min(limit.roomSince, now);
	if (
		!isShared(next) ||
		now < limit.doubtUntil ||
		now - next.roomSince < roomMs * Math.max(1, limit.places)
	)
		return next;
	return { ...next, nextTryAt: Math.min(limit.nextTryAt, now) };
}

interface Told {
	remaining: number;
	sentAt: number;
}

/** How many requests of this process the platform may have counted when it saw the one sent then. */
function ownAround({ uses, travel }: Limit, at: number): number {
	const slackMs = spreadMs(travel);
	const near = uses.filter(
		({ sentAt, from }) =>
			sentAt !== undefined && from > at - windowMs - slackMs && sentAt <= at + slackMs,
	);
	return near.length;
}
