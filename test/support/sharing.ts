import * as product from '../../nodes/EventPlatform/core/pace/limit';
import type { Limiter } from '../../sandbox/access/rateLimit';
import { shareToken, type Arrival, type Decisions, type Shared } from './sharedToken';
import { random, type Random } from './random';

export type PaceLimit = typeof product;

/** The means of eight draws of fairness differ by 0.03 now and then. */
const seeds = Array.from({ length: 8 }, (_, index) => index + 1);
export const counts = [1, 2, 3, 5, 8, 12] as const;

/** The decisions of one process: those of the product, or of a change of it. */
export function decisions(draw: Random, cap?: number, of: PaceLimit = product): Decisions {
	let limit = of.startLimit(5, cap);
	return {
		earliest: (now) => of.earliest(limit, now),
		sent: (now) => (limit = of.afterSending(limit, now, draw)),
		learn: (lesson, sentAt, now) => (limit = of.afterAnswer(limit, lesson, sentAt, now, draw)),
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

interface World {
	limiter: Limiter;
	/** Answers carry the headers of the limit. */
	told: boolean;
}

/** Means over the seeds, of seconds 60 to 240. Processes start a second apart and always have work. */
export function sharesOf(world: World, count: number, cap?: number, of?: PaceLimit): Shares {
	const sharers = Array.from({ length: count }, (_, index) => ({ startsMs: index * 1_000 }));
	const create = (draw: Random) => decisions(draw, cap, of);
	return means(
		seeds.map((seed) => {
			const parts = { ...world, sharers, seed, create, endsMs: 240_000 };
			return measure(shareToken(parts), count, 60_000, 240_000);
		}),
	);
}

/** Workers of one machine that begin within 50 ms of each other, as those of a busy queue do: seconds 15 to 45. */
export function sharesOfCrowd(world: World, count: number): Shares & { poor: number } {
	const [from, endsMs] = [15_000, 45_000];
	const shares = seeds.map((seed) => {
		const draw = random(77 * seed);
		const sharers = Array.from({ length: count }, () => ({ startsMs: 50 * draw() }));
		const parts = { ...world, sharers, seed, create: decisions, endsMs, travelMs: onOneMachine };
		return measure(shareToken(parts), count, from, endsMs);
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

export function means(all: readonly Shares[]): Shares {
	const of = (figure: keyof Shares) => mean(all.map((one) => one[figure]));
	return { used: of('used'), refused: of('refused'), fairness: of('fairness'), least: of('least') };
}

/** One scene under each seed. */
export function scenes(
	scene: World & Pick<Shared, 'sharers' | 'endsMs' | 'travelMs' | 'answerMs'>,
	of?: PaceLimit,
): Arrival[][] {
	const create = (draw: Random) => decisions(draw, undefined, of);
	return seeds.map((seed) => shareToken({ ...scene, seed, create }));
}

/** What one process alone makes of a line whose journeys take 20 to 120 ms: used and refused. */
export function onAnUnevenLine(world: World, of?: PaceLimit): Shares {
	const travelMs = (draw: Random) => 20 + 100 * draw();
	const scene = { ...world, sharers: [{ startsMs: 0 }], endsMs: 240_000, travelMs };
	return means(scenes(scene, of).map((arrivals) => measure(arrivals, 1, 0, 240_000)));
}

/** What one process alone makes of its first half minute, when opening connections takes up to 300 ms: used and refused. */
export function whenConnectionsOpen(world: World, of?: PaceLimit): Shares {
	const travelMs = (draw: Random, sentBefore: number) =>
		10 + 10 * draw() + (sentBefore < 5 ? 300 * draw() : 0);
	const answerMs = (draw: Random) => 100 + 300 * draw();
	const scene = { ...world, sharers: [{ startsMs: 0 }], endsMs: 30_000, travelMs, answerMs };
	return means(scenes(scene, of).map((arrivals) => measure(arrivals, 1, 0, 30_000)));
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
