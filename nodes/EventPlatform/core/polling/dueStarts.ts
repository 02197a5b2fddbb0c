import { shortened, shortKey } from '../events/delivery';
import type { LeadTime } from './leadTime';
import type { PlannedSession, Schedule } from './schedule';

/** A start whose lead time has come, and which was not told yet. */
export interface DueStart {
	sessionId: string;
	startsAt: number;
	lead: LeadTime;
	dueAt: number;
}

/**
 * Finds the starts that are due, the earliest moment first. A start that is due late stays so until the session starts. What was
 * due before the trigger began, or before the session existed, is not. All times are Unix seconds.
 */
export function findDueStarts(
	{ sessions, told, beganAt }: Pick<Schedule, 'sessions' | 'told' | 'beganAt'>,
	leadTimes: readonly LeadTime[],
	nowSeconds: number,
): DueStart[] {
	const due = Object.entries(sessions).flatMap(([sessionId, session]) =>
		leadTimes.flatMap((lead) => {
			const start = dueStartOf(sessionId, session, lead);
			if (start === undefined || start.dueAt > nowSeconds || start.startsAt <= nowSeconds)
				return [];
			const sinceAt = Math.max(beganAt, session.createdAt ?? beganAt);
			if (start.dueAt < sinceAt || told[startKey(start)] !== undefined) return [];
			return nowSeconds < triedAgainAt(session, start) ? [] : start;
		}),
	);
	return due.sort((first, second) => first.dueAt - second.dueAt);
}

/**
 * A session that could not be read is tried again when it is twice as late, or when half of the time until its start has passed,
 * whichever is earlier. So it is told before it starts, and costs two dozen requests in a week. The next list may show it before. An
 * outage counts, too: tried in each poll, a start would spend in three hours of it what polling may spend in a week.
 */
function triedAgainAt({ triedAt }: PlannedSession, { dueAt, startsAt }: DueStart): number {
	if (triedAt === undefined) return dueAt;
	return triedAt + Math.min(triedAt - dueAt, (startsAt - triedAt) / 2);
}

export function dueStartOf(
	sessionId: string,
	{ state, startsAt }: PlannedSession,
	lead: LeadTime,
): DueStart | undefined {
	if (state !== 'planned' || startsAt === undefined) return undefined;
	return { sessionId, startsAt, lead, dueAt: startsAt - lead.minutes * 60 };
}

/** A start is told once for each session, planned start and lead time. */
export function startKey({ sessionId, startsAt, lead }: DueStart): string {
	return shortened(shortKey([sessionId, startsAt, lead.minutes]));
}
