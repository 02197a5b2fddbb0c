import { isNoOrEmpty } from '../dialect/flags';
import { parseSeconds, plannedStart } from '../dialect/time';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import { describeClosed } from '../failures/messages';
import type { SessionRead } from './readSession';
import type { Ms, Seconds } from '../values/units';

/*
 * What this rests on: section 2.6 shows no fields. The vendor's pages name the statuses by which sessions and events are filtered, and a
 * recorded session whose time has passed is `past_not_started`.
 */

/**
 * The phase that a session is in, as its status and its times tell together:
 *
 *   toCome    it is planned, and nothing says that it has begun
 *   live      people are in it
 *   onDemand  people watch the replay, and may still register
 *   over      it has taken place, and nobody can register any more
 *   canceled  it does not take place, and nobody can register any more
 *   unclear   the status is missing or unknown, or the times contradict it or cannot be read
 */
export type SessionPhase = 'toCome' | 'live' | 'onDemand' | 'over' | 'canceled' | 'unclear';

interface StatusMeaning {
	phase: SessionPhase;
	/** Its people may change at any time. */
	isOpen: boolean;
}

const meaning = (phase: SessionPhase, isOpen: boolean): StatusMeaning => ({ phase, isOpen });

/** The statuses of events stand here, too. */
const sessionStatuses: ReadonlyMap<string, StatusMeaning> = new Map([
	['upcoming', meaning('toCome', true)],
	['draft', meaning('toCome', false)],
	['not_started', meaning('toCome', true)],
	['not_scheduled', meaning('toCome', true)],
	['live', meaning('live', true)],
	['on_demand', meaning('onDemand', true)],
	['past', meaning('over', false)],
	// Its time has passed, and nobody has begun it. Whether somebody still will is not specified.
	['past_not_started', meaning('unclear', false)],
	['ended', meaning('over', false)],
	['canceled', meaning('canceled', false)],
	['cancelled', meaning('canceled', false)],
]);

export function sessionStatus({ status }: JsonObject): string {
	return text(status).trim().toLowerCase();
}

/**
 * `nowMs`: the time that the planned start is compared with. Absent: only what the platform itself says counts,
 * such as that the session is over.
 */
export function phaseOf(session: JsonObject, nowMs?: Ms): SessionPhase {
	const attributes = attributesOf(session);
	const phase = sessionStatuses.get(sessionStatus(attributes))?.phase ?? 'unclear';
	// A status that says more than "planned" is believed, whatever the times are: a session on demand has an end.
	if (phase !== 'toCome') return phase;
	const mayBeDue = nowMs !== undefined && !isAhead(attributes, nowMs);
	return isPastByTimes(attributes) || mayBeDue ? 'unclear' : 'toCome';
}

/** A time that is set and cannot be read may have passed. */
function isAhead(attributes: JsonObject, nowMs: Ms): boolean {
	const { estimated_started_at: planned } = attributes;
	const startsAt = plannedStart(attributes);
	const isPlanAhead = startsAt === undefined ? isNoOrEmpty(planned) : startsAt * 1_000 > nowMs;
	return isPlanAhead && timesOfPast.every((name) => isNoOrEmpty(attributes[name]));
}

export function whyClosed({ session }: SessionRead, name: string): string | undefined {
	// The planned start closes nothing, so no clock is needed.
	const phase = phaseOf(session);
	return phase === 'over' || phase === 'canceled' ? `${describeClosed(name, phase)}.` : undefined;
}

/**
 * The people of an open session may change at any time. This is for code that reads them again and again, where a mistake costs a
 * request. The status decides wherever it is known, whatever times the session has.
 */
export function isOpen(attributes: JsonObject): boolean {
	return sessionStatuses.get(sessionStatus(attributes))?.isOpen ?? !hasEnded(attributes);
}

/** Such a session is no draft, and nothing says that it has begun or was canceled. */
export function isToStart(session: JsonObject): boolean {
	const attributes = attributesOf(session);
	const ofStatus = sessionStatuses.get(sessionStatus(attributes));
	if (ofStatus !== undefined && (ofStatus.phase !== 'toCome' || !ofStatus.isOpen)) return false;
	return !isPastByTimes(attributes);
}

function isPastByTimes(attributes: JsonObject): boolean {
	return timesOfPast.some((name) => parseSeconds(attributes[name]) !== undefined);
}

const timesOfPast = ['started_at', 'ended_at', 'canceled_at'];

/** Its status or one of its times says so: a status may be missing, or say less than the times. */
export function hasBegun(attributes: JsonObject): boolean {
	const phase = sessionStatuses.get(sessionStatus(attributes))?.phase;
	if (phase === 'live' || phase === 'onDemand' || phase === 'over') return true;
	return hasEnded(attributes) || parseSeconds(attributes.started_at) !== undefined;
}

/** A session on demand has ended, too, although people may still register for it. */
export function hasEnded({ ended_at }: JsonObject): boolean {
	return parseSeconds(ended_at) !== undefined;
}

/** Supposed: for an hour after the end of a session the platform is still counting who was there. Sooner, somebody who came might be told as absent. */
export const settlesAfterSeconds = 3_600;

/** Who attended a session stays as it is from then on. `endedAt` and `readAt`: Unix seconds by the platform's clock. */
export function hasAttendanceSettled(endedAt: Seconds, readAt: Seconds): boolean {
	return readAt - endedAt >= settlesAfterSeconds;
}

export function isCanceled(session: JsonObject): boolean {
	return phaseOf(session) === 'canceled';
}
