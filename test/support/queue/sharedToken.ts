import type { LimitFacts } from '../../../nodes/EventPlatform/core/client/limiter';
import { createRateLimit, type Limiter } from '../../../sandbox/access/rateLimit';
import { Agenda } from '../time/agenda';
import type { Random } from '../platform/random';
import { createDraws } from '../../../sandbox/world/draws';

/** The decisions of one process: when may its next request leave? */
export interface Decisions {
	earliest(now: number): number;
	sent(now: number): void;
	learn(lesson: LimitFacts, sentAt: number, now: number): void;
}

export interface Sharer {
	startsMs: number;
	endsMs?: number;
	/** It is done when so many were accepted. */
	requests?: number;
	/** Milliseconds between two requests that are wanted, in the mean; absent: as many as may leave. */
	wantsEveryMs?: number;
	/** How many are wanted each time. */
	wantsAtOnce?: number;
	/** Sends when it wants to, whatever the platform says. */
	isStranger?: boolean;
}

export interface Shared {
	limiter: Limiter;
	/** Answers carry RateLimit-Interval-* and Retry-After. */
	hasHeaders: boolean;
	sharers: readonly Sharer[];
	endsMs: number;
	seed: number;
	create: (draw: Random) => Decisions;
	/** Milliseconds that a request travels, one way, after so many others of its process. */
	travelMs?: (draw: Random, sentBefore: number) => number;
	/** Milliseconds that its answer takes, if they are others. */
	answerMs?: (draw: Random) => number;
}

/** One request as the platform saw it. */
export interface Arrival {
	by: number;
	wantedAt: number;
	sentAt: number;
	at: number;
	isAccepted: boolean;
}

/** 60 to 100 ms, and one journey in a hundred takes 150 ms longer. */
const overTheNetwork = (draw: Random) => 60 + 40 * draw() + (draw() < 0.01 ? 150 : 0);

/** Several processes on one token, event by event: no promise and no timer, so that minutes take milliseconds. */
export function shareToken(shared: Shared): Arrival[] {
	const { limiter, hasHeaders, sharers, endsMs, seed, create, travelMs = overTheNetwork } = shared;
	const { answerMs = (draw: Random) => travelMs(draw, Infinity) } = shared;
	const draw = createDraws(seed);
	const epoch = Date.UTC(2026, 0, 1) + Math.floor(60_000 * draw());
	const arrivals: Arrival[] = [];
	const rateLimit = createRateLimit(5, limiter);
	const agenda = new Agenda(epoch);

	function start(sharer: Sharer, by: number): void {
		const decisions = create(createDraws(seed * 1_009 + by + 1));
		const wantedTimes: number[] = [];
		const stops = epoch + (sharer.endsMs ?? endsMs);
		let lookAt = Infinity;
		let left = sharer.requests ?? Infinity;
		let sent = 0;

		function leave(wantedAt: number): void {
			const sentAt = agenda.nowMs;
			left -= 1;
			if (!sharer.isStranger) decisions.sent(sentAt);
			agenda.after(travelMs(draw, sent++), () => {
				const at = agenda.nowMs;
				const { allowed } = rateLimit.take('token', at);
				arrivals.push({
					by,
					wantedAt: wantedAt - epoch,
					sentAt: sentAt - epoch,
					at: at - epoch,
					isAccepted: allowed,
				});
				agenda.after(answerMs(draw), () => {
					if (!allowed) left += 1;
					if (sharer.isStranger) return;
					const lesson: LimitFacts = { isRateLimited: !allowed };
					if (hasHeaders) lesson.allowed = 5;
					if (hasHeaders && !allowed) lesson.pauseMs = 1_000;
					decisions.learn(lesson, sentAt, agenda.nowMs);
					look();
				});
			});
		}

		function look(): void {
			for (;;) {
				if (agenda.nowMs >= stops || left <= 0) return;
				if (sharer.wantsEveryMs !== undefined && wantedTimes.length === 0) return;
				const at = sharer.isStranger ? agenda.nowMs : decisions.earliest(agenda.nowMs);
				if (at > agenda.nowMs) {
					if (at === lookAt) return;
					lookAt = at;
					// A later look may have been planned in the meantime.
					agenda.after(at - agenda.nowMs, () => {
						if (at === lookAt) {
							lookAt = Infinity;
							look();
						}
					});
					return;
				}
				leave(wantedTimes.shift() ?? agenda.nowMs);
			}
		}

		function want(everyMs: number): void {
			if (agenda.nowMs >= stops) return;
			for (let count = sharer.wantsAtOnce ?? 1; count > 0; count--) wantedTimes.push(agenda.nowMs);
			look();
			agenda.after(-Math.log(1 - draw()) * everyMs, () => want(everyMs));
		}

		if (sharer.wantsEveryMs === undefined) look();
		else want(sharer.wantsEveryMs);
	}

	sharers.forEach((sharer, by) => agenda.after(sharer.startsMs, () => start(sharer, by)));
	while (agenda.next(epoch + endsMs));
	return arrivals;
}
