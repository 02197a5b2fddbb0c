/** The requests that were left of the month at one moment. */
export interface ConsumptionSample {
	/** The moment, in milliseconds since 1970. */
	takenAt: number;
	/** The requests that were left. */
	remaining: number;
}

/** Samples, oldest first. They show how fast all who use the token spend the month. */
export type Consumption = readonly ConsumptionSample[];

/** How fast the month is spent. */
export interface ConsumptionRate {
	/** Requests in 24 hours. */
	perDay: number;
	/** When the measurement began, in milliseconds since 1970. */
	beganAt: number;
}

const dayMs = 24 * 3_600_000;
/** 96 samples make a day. */
const betweenSamplesMs = 15 * 60_000;
/** Below that, one bulk run would be taken for the habit of the whole day. */
const leastMs = 3_600_000;
/** Responses may overtake each other, but no more than 20 requests are under way. More is a new month. */
export const mostOvertaken = 20;

export function recordConsumption(
	before: Consumption,
	remaining: number | undefined,
	now: number,
): Consumption {
	if (remaining === undefined) return before;
	const last = before.at(-1);
	if (last && remaining > last.remaining + mostOvertaken) return [{ takenAt: now, remaining }];
	if (last && now - last.takenAt < betweenSamplesMs) return before;
	// The newest sample that is a day old is what the day is measured from; older ones are not needed.
	const start = before.findLastIndex((sample) => now - sample.takenAt >= dayMs);
	return [...before.slice(Math.max(0, start)), { takenAt: now, remaining }];
}

/** Gives the rate over the last day, or as much of it as is known; undefined below an hour. */
export function rateOf(
	consumption: Consumption,
	remaining: number | undefined,
	now: number,
): ConsumptionRate | undefined {
	const first = consumption.findLast(({ takenAt }) => now - takenAt >= dayMs) ?? consumption[0];
	if (first === undefined || remaining === undefined || now - first.takenAt < leastMs)
		return undefined;
	const used = Math.max(0, first.remaining - remaining);
	return { perDay: (used * dayMs) / (now - first.takenAt), beganAt: first.takenAt };
}
