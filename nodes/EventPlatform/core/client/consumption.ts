import { dayMs, hourMs, minuteMs } from '../values/units';

export interface ConsumptionSample {
	takenAt: number;
	remaining: number;
}

/** Samples, oldest first. They show how fast all who use the token spend the month. */
export type Consumption = readonly ConsumptionSample[];

export interface ConsumptionRate {
	/** Requests in 24 hours. */
	perDay: number;
	beganAt: number;
}

/** A sample is taken every quarter of an hour, so that 96 samples make a day. */
const betweenSamplesMs = 15 * minuteMs;
/** A shorter measurement would take one bulk run for the habit of the whole day. */
const shortestMeasurementMs = hourMs;
/**
 * Responses overtake each other, seldom by so many. Where more requests than this have come back, a new month has begun. If it has
 * not, the measurement begins anew, which costs an hour of it.
 */
export const mostOvertaken = 20;

/** Adds a sample, unless the last one was taken a short while ago. A new month begins with one sample. */
export function recordConsumption(
	consumption: Consumption,
	remaining: number | undefined,
	now: number,
): Consumption {
	if (remaining === undefined) return consumption;
	const latest = consumption.at(-1);
	if (latest && remaining > latest.remaining + mostOvertaken) return [{ takenAt: now, remaining }];
	if (latest && now - latest.takenAt < betweenSamplesMs) return consumption;
	// The newest sample that is a day old is what the day is measured from; older ones are not needed.
	const startIndex = consumption.findLastIndex((sample) => now - sample.takenAt >= dayMs);
	return [...consumption.slice(Math.max(0, startIndex)), { takenAt: now, remaining }];
}

/** The rate is that of the last day, or of as much of it as is known. Below an hour it is undefined. */
export function consumptionRate(
	consumption: Consumption,
	remaining: number | undefined,
	now: number,
): ConsumptionRate | undefined {
	const first = consumption.findLast(({ takenAt }) => now - takenAt >= dayMs) ?? consumption[0];
	if (first === undefined || remaining === undefined || now - first.takenAt < shortestMeasurementMs)
		return undefined;
	const used = Math.max(0, first.remaining - remaining);
	return { perDay: (used * dayMs) / (now - first.takenAt), beganAt: first.takenAt };
}
