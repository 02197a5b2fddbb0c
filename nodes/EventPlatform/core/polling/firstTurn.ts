import { ageOf } from '../values/recentTimes';
import { dayMs, type Ms } from '../values/units';

/** What was last done so long ago is done at the start: people who start n8n in the morning see their news. */
const longAgoMs = dayMs / 2;

/**
 * A turn that began so shortly before the start is taken. Without that a process that crashes again and again before its second poll would poll once in
 * twelve hours. Two starts of n8n are further apart, so that no turn is taken twice.
 */
const openMs = 15_000;

interface Turns {
	everyMs: Ms;
	/** When the process began to wait for its first turn. */
	startedAtMs: Ms;
	/** The time since it was last done: a list by any process, a poll as the first one after a start. Absent: nobody knows. */
	sinceLastMs?: Ms;
	nowMs: Ms;
}

/**
 * What a process does first has its turn by the clock, at the same times in every process and after every start, because a process that
 * crashes again and again would do it at each start. Gives the time of the turn: now, or the next one. What was last done long ago
 * has its turn now.
 */
export function firstTurnAtMs({ everyMs, startedAtMs, sinceLastMs = 0, nowMs }: Turns): Ms {
	if (sinceLastMs >= longAgoMs) return nowMs;
	const sinceTurnMs = nowMs % everyMs;
	// The latest turn has begun while the process waits, or shortly before that.
	return sinceTurnMs <= Math.max(openMs, ageOf(startedAtMs, nowMs))
		? nowMs
		: nowMs - sinceTurnMs + everyMs;
}
