import { afterAnswer } from '../../nodes/EventPlatform/core/pace/learn';
import { afterSending, earliest, startLimit } from '../../nodes/EventPlatform/core/pace/limit';
import type { Limiter } from '../../sandbox/access/rateLimit';
import { shareToken, type Arrival, type Decisions, type Shared } from './sharedToken';
import type { Random } from './random';

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
	scene: Pick<Shared, 'limiter' | 'told' | 'sharers' | 'endsMs' | 'travelMs'>,
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
