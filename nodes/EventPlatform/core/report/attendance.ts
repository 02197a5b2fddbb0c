import { parseCount, parseFlag } from '../dialect/flags';
import { registrationOf } from '../dialect/person';
import { isRegisteredAfterEnd } from '../people/registrationTime';
import type { JsonObject } from '../values/json';
import type { ReportedSession } from './reportedSession';

/*
 * Decides who attended a session and for how long, and when that is known at all.
 *
 * What this rests on: recorded registrations have `attended`, a duration, and a rate, which is null or a number from 0 to 100.
 */

/** The attendance of a person. A member is undefined where the platform does not give it. */
export interface Attendance {
	/** In the room while the session was live. Absent for those who registered later, too. */
	attended?: boolean;
	/** Registered when the session was over, to watch the replay. Absent while it is not over. */
	registeredAfter?: boolean;
	minutes?: number;
	/** The part of the session during which the person was there, in per cent. */
	share?: number;
}

export type SessionTimes = Pick<ReportedSession, 'endedAt' | 'minutes'>;

export function readAttendance(
	record: JsonObject,
	{ minutes: sessionMinutes, endedAt }: SessionTimes,
): Attendance {
	const detail = registrationOf(record);
	const attended = parseFlag(detail.attended);
	if (attended !== true) {
		const registeredAfter = isRegisteredAfterEnd(record, endedAt);
		// The platform says of these people that they did not attend, and nobody can miss what is over.
		return {
			attended: registeredAfter ? undefined : attended,
			registeredAfter,
			minutes: undefined,
			share: undefined,
		};
	}
	const duration = parseCount(detail.attendance_duration);
	const minutes = duration === undefined ? undefined : duration / 60;
	const isMeasured = minutes !== undefined && sessionMinutes !== undefined && sessionMinutes > 0;
	const measuredShare = isMeasured ? (minutes / sessionMinutes) * 100 : undefined;
	const share = parseCount(detail.attendance_rate) ?? measuredShare;
	return {
		attended,
		registeredAfter: endedAt === undefined ? undefined : false,
		minutes,
		share: share === undefined ? undefined : Math.min(100, share),
	};
}

/**
 * Before a session, everybody counts as "not there", which does not mean that nobody came. While a session is live, it may not be
 * known who came either, because the platform may only count people at the end.
 */
export function isAttendanceKnown(
	{ phase, endedAt }: Pick<ReportedSession, 'phase' | 'endedAt'>,
	registrants: readonly Attendance[],
): boolean {
	// The host is in the room before anybody is counted, also for a rehearsal, and is no registrant.
	if (registrants.some(({ attended }) => attended === true)) return true;
	return endedAt !== undefined || phase === 'over' || phase === 'onDemand';
}

/** The person as long as it is not known who came. */
export function withoutAttendance<Person extends Attendance>(person: Person): Person {
	return { ...person, attended: undefined, minutes: undefined, share: undefined };
}
