import {
	withResponse,
	withRequest,
	earliestDeparture,
	startLimiter,
} from '../../../nodes/EventPlatform/core/client/limiter';
import { limiters, type Limiter } from '../../../sandbox/access/rateLimit';
import { shareToken, type Arrival, type Decisions, type Shared, type Sharer } from './sharedToken';
import type { Random } from '../platform/random';
import { createDraws } from '../../../sandbox/world/draws';

/** The means of eight draws of fairness differ by 0.03 now and then. */
const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

export interface World {
	limiter: Limiter;
	/** Answers carry the headers of the limit. */
	hasHeaders: boolean;
}

export const worlds: readonly World[] = limiters.flatMap((limiter) =>
	[true, false].map((hasHeaders) => ({ limiter, hasHeaders })),
);

/** The users of the token, and the time that the figures are of, from `fromMs` to `endsMs`. */
export interface Situation extends Pick<Shared, 'endsMs' | 'travelMs' | 'answerMs'> {
	sharers: readonly Sharer[];
	/** They start at any moment of so many milliseconds. */
	spreadMs?: number;
	fromMs?: number;
	/** Requests per second that each process allows itself. */
	cap?: number;
}

const each = (count: number, sharer: (index: number) => Sharer) =>
	Array.from({ length: count }, (_, index) => sharer(index));

/** Processes that start a second apart and always have work. */
export const busyProcesses = (count: number): Situation => ({
	sharers: each(count, (index) => ({ startsMs: index * 1_000 })),
	fromMs: 60_000,
	endsMs: 240_000,
});

/** Workers of one machine that begin within 50 ms of each other, as those of a busy queue do. */
export const together = (count: number): Situation => ({
	sharers: each(count, () => ({ startsMs: 0 })),
	spreadMs: 50,
	fromMs: 15_000,
	endsMs: 45_000,
	// The machine is busy: one journey in a hundred takes 150 ms longer.
	travelMs: (draw) => 5 + 25 * draw() + (draw() < 0.01 ? 150 : 0),
});

/** Workers on a line on which journeys hardly differ, so that their requests arrive in the same order every second. */
export const togetherOnQuickLine: Situation = {
	...together(2),
	travelMs: (draw) => 2 + 4 * draw(),
};

/** The second of two ends after two minutes. */
const left: Situation = {
	sharers: [{ startsMs: 0 }, { startsMs: 1_000, endsMs: 120_000 }],
	fromMs: 120_000,
	endsMs: 240_000,
};

/** One process beside 2 requests a second that follow no protocol. */
export const besideStranger: Situation = {
	sharers: [{ startsMs: 0 }, { startsMs: 0, isStranger: true, wantsEveryMs: 500 }],
	fromMs: 60_000,
	endsMs: 240_000,
};

export const capped: Situation = { ...busyProcesses(12), cap: 0.4 };

/** Five processes, each a request in 10 s. */
export const light: Situation = {
	sharers: each(5, () => ({ startsMs: 0, wantsEveryMs: 10_000 })),
	endsMs: 600_000,
};

/** One process alone, on a line whose journeys take 150 to 152 ms. */
export const even: Situation = {
	sharers: [{ startsMs: 0 }],
	endsMs: 240_000,
	travelMs: (draw) => 150 + 2 * draw(),
};

/** One process alone, on a line whose journeys take 20 to 120 ms. */
export const uneven: Situation = {
	...even,
	travelMs: (draw) => 20 + 100 * draw(),
};

/** The first half minute of one process alone, when opening connections takes up to 300 ms. */
export const opening: Situation = {
	...even,
	endsMs: 30_000,
	travelMs: (draw, sentBefore) => 10 + 10 * draw() + (sentBefore < 5 ? 300 * draw() : 0),
	answerMs: (draw) => 100 + 300 * draw(),
};

/** Gives the requests that arrive under each seed. */
export function scenes(world: World, situation: Situation, drawn = seeds): Arrival[][] {
	const create = (draw: Random): Decisions => {
		let limiter = startLimiter(5, situation.cap);
		return {
			earliest: (now) => earliestDeparture(limiter, now),
			sent: (now) => {
				limiter = withRequest(limiter, now, draw);
			},
			learn: (lesson, sentAt, now) => {
				limiter = withResponse(limiter, lesson, sentAt, now, draw);
			},
		};
	};
	return drawn.map((seed) => {
		const draw = createDraws(77 * seed);
		const { spreadMs = 0 } = situation;
		const sharers = situation.sharers.map(({ startsMs, ...sharer }) => {
			return { ...sharer, startsMs: startsMs + spreadMs * draw() };
		});
		return shareToken({ ...world, ...situation, sharers, seed, create });
	});
}

/** How those who use a token fared. */
export interface Shares {
	/** Per cent of the limit. */
	used: number;
	/** Per cent of the requests, without those of a stranger. */
	rateLimited: number;
	/** Per cent of the requests that left more than 10 ms after they were wanted. */
	waited: number;
	/** Jain's index: 1 when all have the same, 1 / n when one has everything. */
	fairness: number;
	/** The least share as a part of the fair one. */
	least: number;
}

/** Means over the seeds. */
export function sharesOf(world: World, situation: Situation): Shares {
	return means(scenes(world, situation).map((arrivals) => measure(arrivals, situation)));
}

function measure(arrivals: readonly Arrival[], situation: Situation): Shares {
	const { sharers, fromMs = 0, endsMs } = situation;
	const seen = arrivals.filter(({ at }) => at >= fromMs && at < endsMs);
	const ours = seen.filter(({ by }) => !sharers[by]?.isStranger);
	const accepted = seen.filter(({ isAccepted }) => isAccepted);
	const shares = sharers.map((_, index) => accepted.filter(({ by }) => by === index).length);
	const squares = shares.reduce((sum, share) => sum + share ** 2, 0);
	const percent = (is: (arrival: Arrival) => boolean) =>
		(100 * ours.filter(is).length) / ours.length;
	return {
		used: (100 * accepted.length) / (((endsMs - fromMs) / 1_000) * 5),
		rateLimited: percent(({ isAccepted }) => !isAccepted),
		waited: percent(({ sentAt, wantedAt }) => sentAt - wantedAt > 10),
		fairness: accepted.length ** 2 / (shares.length * squares),
		least: (Math.min(...shares) / accepted.length) * shares.length,
	};
}

function means(all: readonly Shares[]): Shares {
	const of = (figure: keyof Shares) => mean(all.map((shares) => shares[figure]));
	return {
		used: of('used'),
		rateLimited: of('rateLimited'),
		waited: of('waited'),
		fairness: of('fairness'),
		least: of('least'),
	};
}

/** Gives the least share that a process had over all its time under any seed, as a part of the fair one. */
export function leastShareOf(world: World, situation: Situation): number {
	const whole = { ...situation, fromMs: 0 };
	return Math.min(...scenes(world, whole).map((arrivals) => measure(arrivals, whole).least));
}

/** Gives the least share of each draw, as a part of the fair one, from the smallest to the largest. */
export function leastShares(world: World, situation: Situation, draws: number): number[] {
	const drawn = Array.from({ length: draws }, (_, index) => index + 1);
	const shares = scenes(world, situation, drawn).map((arrivals) => measure(arrivals, situation));
	return shares.map(({ least }) => least).sort((a, b) => a - b);
}

/** Seconds after one of two has ended until four seconds hold 18 of the 20 requests that they may hold. */
export function secondsUntilFull(world: World): number {
	const from = left.fromMs ?? 0;
	const each = scenes(world, left).map((arrivals) => {
		const accepted = arrivals.filter(({ at, isAccepted }) => isAccepted && at >= from);
		const full = accepted.find(
			({ at }, index) => (accepted[index + 17]?.at ?? Infinity) - at < 4_000,
		);
		return ((full?.at ?? Infinity) - from) / 1_000;
	});
	return mean(each);
}

export function mean(figures: readonly number[]): number {
	return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}
