import { attributesOf } from '../client/document';
import { phaseOf, type SessionPhase } from '../sessions/phase';
import { eventIdOf, type SessionRead } from '../sessions/readSession';
import { startOf } from '../sessions/start';
import { parseSeconds } from '../dialect/time';
import { text } from '../values/text';
import type { Ms, Seconds } from '../values/units';

/**
 * The facts about a session that a report uses. A member is undefined where the platform does not give it. All times are Unix
 * seconds, as in the records.
 */
export interface ReportedSession {
	id: string;
	eventId?: string;
	title?: string;
	name?: string;
	status?: string;
	phase: SessionPhase;
	/** When it began, else when it is planned to begin. */
	startsAt?: Seconds;
	endedAt?: Seconds;
	/** How long it took. Absent as long as it has not ended. */
	minutes?: number;
	timezone?: string;
}

export function readReportedSession({ session, event }: SessionRead, nowMs: Ms): ReportedSession {
	const attributes = attributesOf(session);
	const startedAt = parseSeconds(attributes.started_at);
	const endedAt = parseSeconds(attributes.ended_at);
	const lengthSeconds = Number(attributes.duration) || (endedAt ?? NaN) - (startedAt ?? NaN);
	return {
		id: text(session.id),
		eventId: eventIdOf(session),
		title: text(attributesOf(event ?? {}).title).trim() || undefined,
		name: text(attributes.name).trim() || undefined,
		status: text(attributes.status) || undefined,
		phase: phaseOf(session, nowMs),
		startsAt: startOf(attributes),
		endedAt,
		minutes: lengthSeconds > 0 ? lengthSeconds / 60 : undefined,
		timezone: text(attributes.timezone) || undefined,
	};
}
