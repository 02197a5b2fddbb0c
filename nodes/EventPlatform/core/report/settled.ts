import { hasAttendanceSettled } from '../sessions/phase';
import { countOf, thousands } from '../values/text';
import type { EventReport, SessionReport } from './read';

/*
 * Decides whether the figures of a report will stay as they are, and says why they will not or what is not in them. An event has
 * settled when each of its sessions has, also those that are planned to begin: they are in its totals from then on.
 */

/** Supposed: nobody begins a session so long after its planned start. Otherwise the report would call figures final that still change. */
const isLateForSeconds = 86_400;

type SessionState = Pick<SessionReport, 'session' | 'hasBegun' | 'readAt'>;

export function isSettled({ session, hasBegun, readAt }: SessionState): boolean {
	const { phase, startsAt, endedAt } = session;
	switch (phase) {
		case 'canceled':
			return true;
		case 'over':
			return endedAt === undefined || hasAttendanceSettled(endedAt, readAt);
		case 'unclear':
			return !hasBegun && startsAt !== undefined && readAt - startsAt >= isLateForSeconds;
		default:
			return false;
	}
}

/** Nobody knows of an event without a session whether it will get one. */
export function isEventSettled({ sessions }: Pick<EventReport, 'sessions'>): boolean {
	const awaited = sessions.filter(maySettle);
	return awaited.length > 0 && awaited.every(isSettled);
}

/** A session that was never scheduled, such as a draft, may stay so for ever. */
function maySettle({ session: { phase, startsAt }, hasBegun }: SessionState): boolean {
	return hasBegun || phase === 'canceled' || startsAt !== undefined;
}

const notBegun = 'The session has not begun, so nobody can have attended it.';

/** Says why the figures of a session may still change, or why nobody is in them. */
export function describeState(report: SessionState): string | undefined {
	const { phase } = report.session;
	if (phase === 'canceled') return 'The session was canceled.';
	if (isSettled(report)) return report.hasBegun ? undefined : notBegun;
	return {
		toCome: notBegun,
		live: 'The session is live, so the figures still change.',
		onDemand: 'People can still watch the session, so the figures still change.',
		over: 'The session ended less than an hour ago, so attendance may still change.',
		unclear: 'The platform does not say that the session is over, so the figures may still change.',
	}[phase];
}

/** Says which sessions of an event are not in its totals, and how many may still change. */
export function describeEventState({ sessions }: Pick<EventReport, 'sessions'>): string[] {
	const count = countOf(sessions.length, 'session');
	const heldSessions = sessions.filter(({ session }) => session.phase !== 'canceled');
	const canceledCount = sessions.length - heldSessions.length;
	const unbegunCount = heldSessions.filter(({ hasBegun }) => !hasBegun).length;
	const openCount = sessions.filter((report) => maySettle(report) && !isSettled(report)).length;
	const hints: string[] = [];
	if (canceledCount > 0) {
		hints.push(`Canceled, so not in the totals: ${thousands(canceledCount)} of ${count}.`);
		if (heldSessions.length === 0) return hints;
	}
	if (unbegunCount === heldSessions.length) {
		hints.push('No session has begun, so nobody can have attended one.');
		return hints;
	}
	if (unbegunCount > 0) {
		hints.push(`Not begun, so not in the totals: ${thousands(unbegunCount)} of ${count}.`);
	}
	if (openCount > 0) {
		hints.push(
			`${thousands(openCount)} of ${count} may still change, so the figures are not final.`,
		);
	}
	return hints;
}
