import type { Outcome } from '../people/outcome';
import { isObject, type Json, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { attributesOf } from '../client/document';
import { problemOfId } from '../client/path';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { thousands } from '../client/usage';
import { reasonOf, type Reason } from '../people/reason';
import { isGuestSpeaker, registrationOf } from '../dialect/person';
import { fullName } from '../records/simplify';
import { phaseOf } from '../sessions/phase';
import { addressOf } from '../people/identity';
import type { Entry } from './intent';

/**
 * The people whom Sync may remove. The law has five parts, in this order:
 *
 * 1. Who stands on the list stays, by any address that the run knows of the person; so does who may stand on it.
 * 2. Only participants can be removed. Somebody who may be no participant is kept.
 * 3. Nobody loses an attendance. Who has attended or watched the replay is kept; and nobody is removed from a session
 *    that is over, canceled or live, or of which that is not certain.
 * 4. Nobody is removed from a session while something about that session is in doubt.
 * 5. At most a fifth of a session is removed, unless the user gives another number.
 *
 * The user may lift the fourth and the fifth part, and no other. `plan.ts` applies the law before anything is sent, and
 * `run.ts` once more before it removes anybody, when each session has been read again.
 */

// 1. Who stands on the list stays.

/** Somebody who was added in this run is on the list, whatever the list of people showed before. */
export function addedAs(email: string): string {
	return `The person was added as ${email} in this run, as the ID shows, and is not removed from the session.`;
}

/** The address stands in a row whose session is not known, so it may belong to any of them. */
export function listedWithoutSession(index: number): string {
	return `Row ${index + 1} has this address, and its session cannot be read: the person may be on the list.`;
}

/** Another session shows the ID with an address of the list, and nobody knows whether it is the same person. */
export function listedWithSameId(email: string): string {
	return `${email} is on the list and has the same ID in another session: it may be the same person.`;
}

// 2. Only participants can be removed.

/** Team members and guest speakers are nobody's registrants: Sync leaves them as they are. */
export function isOfTheTeam(person: JsonObject): boolean {
	const role = text(attributesOf(person).role).toLowerCase();
	return role === 'team_member' || isGuestSpeaker(person);
}

export const noId = 'The platform shows no ID of this person.';

/** Why a person is never removed from any session, although the person is not on the list. */
export function whyNever(person: JsonObject): string | undefined {
	const role = text(attributesOf(person).role);
	if (role.toLowerCase() !== 'participant') {
		const named = role === '' ? 'no role' : `the role '${role}'`;
		return `The platform gives this person ${named}, and only participants are removed.`;
	}
	if (problemOfId(person.id) !== undefined) return noId;
	const address = addressOf(person);
	if (address === '') {
		return 'The platform shows no address of this person, so the person may be on the list.';
	}
	if (!isGeneratedAddress(address)) return undefined;
	return 'The platform has made up the address of this person, so the person may be on the list.';
}

// 3. Nobody loses an attendance.

/** A session, as far as it decides whether somebody may be removed from it. */
export interface SessionOfList {
	/** The session as people know it, with title and time. */
	name: string;
	/** The record; absent where the session could not be read. */
	session?: JsonObject;
}

/** Why nobody at all is removed from a session; undefined while it is certain that nobody can have attended it. */
export function whyNobody(
	{ name, session = {} }: SessionOfList,
	nowMs: number,
): string | undefined {
	switch (phaseOf(session, nowMs)) {
		case 'toCome':
		case 'onDemand':
			return undefined;
		case 'over':
			return `${name} is over. Nobody is removed from a session that is over, because the record of who attended would be lost.`;
		case 'canceled':
			return `${name} was canceled. Nobody is removed from a canceled session.`;
		case 'live':
			return `${name} is live. Nobody is removed from a session while it takes place.`;
		case 'unclear':
			return `It is not certain that ${name} is still to come: ${whyUncertain(session)}. Nobody is removed from such a session.`;
	}
}

function whyUncertain(session: JsonObject): string {
	const status = text(attributesOf(session).status);
	if (status === '') return 'the platform gives it no status';
	return `the platform gives it the status '${status}', and one of its times has passed or the status is not known`;
}

/** Members of a record that are empty as long as somebody has not been there. */
const signsOfAttendance = [
	'attended',
	'attendance_rate',
	'attendance_duration',
	'has_viewed_replay',
	'replay_view_detail',
];

/** Why somebody who has been there is never removed; of a session on demand, also who may have been there. */
export function whyAttended(
	person: JsonObject,
	{ name, session = {} }: SessionOfList,
	nowMs: number,
): string | undefined {
	const record: JsonObject = Object.assign({}, attributesOf(person), registrationOf(person));
	if (signsOfAttendance.some((sign) => !isNothing(record[sign]))) {
		return `The person attended ${name} or watched its replay, and the record of that would be lost.`;
	}
	const isShown = ['attended', 'has_viewed_replay'].every((sign) => text(record[sign]) !== '');
	if (isShown || phaseOf(session, nowMs) !== 'onDemand') return undefined;
	return `The platform does not show whether the person watched ${name}, and the record of that would be lost.`;
}

/** Whether a value says "no", "not at all" or nothing; an object does where all its members do. */
function isNothing(value: Json | undefined): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (isObject(value)) return Object.values(value).every(isNothing);
	const words = text(value).trim();
	return words === '' || Number(words) === 0 || /^(?:false|no)$/i.test(words);
}

/** Why nobody is removed from a session that could not be read again before the removals; `message`: what went wrong. */
export function notReadAgain(name: string, message: string): string {
	return `${name} could not be read again before anybody was removed, so it may have begun. ${message}`;
}

// 4. Nobody is removed from a session while something about that session is in doubt.

/** Describes the doubt that a row leaves whose person is not known to be registered. `outcome`: undefined where it is open. */
export function doubtAbout({ index, email }: Entry, outcome?: Outcome): string[] {
	const row = email ? `Row ${index + 1} (${email})` : `Row ${index + 1}`;
	if (!outcome) return [];
	switch (outcome.status) {
		case 'duplicate':
			return [];
		case 'added': {
			// A platform may write an address in another way: then the old registration is the one that was just confirmed.
			const isShown = text(outcome.person?.id) !== '';
			return isShown ? [] : [`${row} was added, and the platform does not show as whom.`];
		}
		case 'already_registered':
			return [
				`${row} is registered already, as the platform says, but its list of people does not show this address.`,
			];
		default: {
			const reason = reasonOf(outcome.errors) ?? outcome.status;
			return [`${row} is on the list and was not added: ${reason}`];
		}
	}
}

export function doubtAboutSession(index: number): string {
	return `The session of row ${index + 1} cannot be read, so that row may belong to any session.`;
}

/** Both rows of a pair say so. */
export function typingMistake(email: string, what: 'on the list' | 'registered'): string {
	return `${email} is ${what} and differs by one typo only: it may be the same person.`;
}

/** Why somebody who would have been removed is kept. */
export function whyKept(first: string, more: number): string {
	const others = more === 0 ? '' : ` And ${thousands(more)} more like this.`;
	return `Not removed. ${first}${others} Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.`;
}

// 5. At most a fifth of a session is removed.

/** Why the run must not begin: too many of those who are there would be removed. */
export function tooMany(
	name: string,
	there: readonly JsonObject[],
	toRemove: readonly JsonObject[],
	chosenLimit?: number,
): Reason | undefined {
	const isParticipant = (person: JsonObject) => !isOfTheTeam(person) && !whyNever(person);
	const participants = there.filter(isParticipant).length;
	const most = chosenLimit ?? Math.max(1, Math.floor(participants / 5));
	if (toRemove.length <= most) return undefined;
	const nameOf = (person: JsonObject) => fullName(attributesOf(person)) || addressOf(person);
	const names = toRemove.slice(0, 5).map(nameOf).join(', ');
	const more = toRemove.length > 5 ? ` and ${thousands(toRemove.length - 5)} more` : '';
	const message = `The list would remove ${thousands(toRemove.length)} of ${thousands(participants)} people from ${name}, and at most ${thousands(most)} may be removed. They are ${names}${more}.`;
	return { code: 'too_many_removals', message };
}
