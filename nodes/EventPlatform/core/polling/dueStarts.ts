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
			return start.dueAt < sinceAt || told[startKey(start)] !== undefined ? [] : start;
		}),
	);
	return due.sort((first, second) => first.dueAt - second.dueAt);
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
