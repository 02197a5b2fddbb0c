import { afterAnswer } from '../../nodes/EventPlatform/core/pace/learn';
import { afterSending, earliest, startLimit } from '../../nodes/EventPlatform/core/pace/limit';
import type { Limiter } from '../../sandbox/access/rateLimit';
import { shareToken, type Arrival, type Decisions, type Shared } from './sharedToken';
import { random, type Random } from './random';

/** With twelve, a mean of fairness is off by 0.03 now and then. */
export const seeds = Array.from({ length: 24 }, (_, index) => index + 1);
export const counts = [1, 2, 3, 5, 8, 12] as const;
export type Count = (typeof counts)[number];

/** The decisions of the product, for one process. */
export function productDecisions(draw: Random, cap?: number): Decisions {
	let limit = startLimit(5, cap);
	return {
		earliest: (now) => earliest(limit, now),
		sent: (now) => (limit = afterSending(limit, now, draw)),
		learn: (lesson, sentAt, now) => (limit = afterAnswer(limit, lesson, sentAt, now, draw)),
	};
}

export interface Shares {
	/** Per cent of the limit. */
	used: number;
	/** Per cent of the requests. */
	refused: number;
	/** Jain's index: 1 when all have the same, 1 / n when one has everything. */
	fairness: number;
	/** The least share as a part of the fair one. */
	least: number;
}

/** Means over the seeds, of seconds 60 to 240. Processes start a second apart and always have work. */
export function sharesOf(limiter: Limiter, told: boolean, count: number, cap?: number): Shares {
	const sharers = Array.from({ length: count }, (_, index) => ({ startsMs: index * 1_000 }));
	const create = (draw: Random) => productDecisions(draw, cap);
	return means(
		seeds.map((seed) => {
			const parts = { limiter, told, sharers, seed, create, endsMs: 240_000 };
			return measure(shareToken(parts), count, 60_000, 240_000);
		}),
	);
}

export interface CrowdShares extends Shares {
	/** Per cent of the draws in which somebody has less than half of the fair share. */
	poor: number;
}

interface Crowd {
	limiter: Limiter;
	told: boolean;
	count: number;
	/** Their clocks are so far ahead or behind at the most. */
	clocksMs?: number;
	/** Half a minute is measured from then. */
	from: number;
}

/** Workers of one machine that begin within 50 ms of each other, as those of a busy queue do. */
export function sharesOfCrowd({ limiter, told, count, clocksMs = 0, from }: Crowd): CrowdShares {
	const endsMs = from + 30_000;
	const shares = Array.from({ length: 2 * seeds.length }, (_, index) => {
		const draw = random(77 * index);
		const sharers = Array.from({ length: count }, () => ({
			startsMs: 50 * draw(),
			aheadMs: clocksMs * (2 * draw() - 1),
		}));
		const parts = { limiter, told, sharers, seed: index + 1, create: productDecisions, endsMs };
		return measure(shareToken({ ...parts, travelMs: onOneMachine }), count, from, endsMs);
	});
	const poor = shares.filter(({ least }) => least < 0.5).length;
	return { ...means(shares), poor: (100 * poor) / shares.length };
}

/** 5 to 30 ms, and one journey in a hundred takes 150 ms longer: the machine is busy. */
function onOneMachine(draw: Random): number {
	return 5 + 25 * draw() + (draw() < 0.01 ? 150 : 0);
}

function measure(arrivals: readonly Arrival[], count: number, from: number, to: number): Shares {
	const seen = arrivals.filter(({ at }) => at >= from && at < to);
	const accepted = seen.filter(({ isAccepted }) => isAccepted);
	const each = Array.from(
		{ length: count },
		(_, index) => accepted.filter(({ by }) => by === index).length,
	);
	const squares = each.reduce((sum, one) => sum + one ** 2, 0);
	return {
		used: (100 * accepted.length) / (((to - from) / 1_000) * 5),
		refused: (100 * (seen.length - accepted.length)) / seen.length,
		fairness: accepted.length ** 2 / (count * squares),
		least: (Math.min(...each) / accepted.length) * count,
	};
}

function means(all: readonly Shares[]): Shares {
	const mean = (of: keyof Shares) => all.reduce((sum, one) => sum + one[of], 0) / all.length;
	return {
		used: mean('used'),
		refused: mean('refused'),
		fairness: mean('fairness'),
		least: mean('least'),
	};
}

/** One scene under each seed. */
export function scenes(
	scene: Pick<Shared, 'limiter' | 'told' | 'sharers' | 'endsMs' | 'travelMs' | 'answerMs'>,
): Arrival[][] {
	return seeds.map((seed) => shareToken({ ...scene, seed, create: productDecisions }));
}

/** Seconds from `from` until four seconds hold 18 of the 20 requests that they may hold. */
export function secondsUntilFull(arrivals: readonly Arrival[], from: number): number {
	const times = arrivals
		.filter(({ at, isAccepted }) => isAccepted && at >= from)
		.map(({ at }) => at);
	const first = times.findIndex((at, index) => (times[index + 17] ?? Infinity) - at < 4_000);
	return ((times[first] ?? Infinity) - from) / 1_000;
}

export function mean(figures: readonly number[]): number {
	return figures.reduce((sum, one) => sum + one, 0) / figures.length;
}
