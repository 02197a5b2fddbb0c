import { type Change, type Outcome, reasonOf, type Reason } from '../people/outcome';
import type { JsonObject } from '../values/json';
import { text, thousands } from '../values/text';
import { attributesOf } from '../client/document';
import { problemOfId } from '../client/path';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { isNoOrEmpty } from '../dialect/flags';
import { registrationOf, standingOf, type Standing } from '../dialect/person';
import { fullName } from '../records/simplify';
import { phaseOf } from '../sessions/phase';
import { addressOf } from '../people/identity';
import type { Candidate } from '../registration/candidate';
import type { Ms } from '../values/units';

/**
 * The people whom Sync may remove. The law has five parts:
 *
 * 1. Who stands on the list stays, by any address that the session shows of the person. A row with a problem may mean the owner of any
 *    address that stands in it, and a row whose session cannot be read is on the list of every session.
 * 2. Only participants can be removed. Somebody who may be no participant is kept.
 * 3. Nobody loses an attendance. Who has attended or watched the replay is kept; and nobody is removed from a session
 *    that is over, canceled, live or on demand, of which that is not certain, or that may begin before the run is over.
 * 4. Nobody is removed from a session while something about that session is in doubt: a row whose person the session does not show after all, or
 *    that differs from an address by one typo, may mean somebody who would be removed.
 * 5. At most a fifth of a session is removed, or one person where that is more, unless the user gives another number. A list that would
 *    remove more from one session is a wrong list: nothing is carried out, in any session.
 *
 * The user may lift the fourth and the fifth part, and no other. `plan.ts` applies the law before anything is sent, `doubts.ts` the first and
 * the fourth part once more after people were added, and `removals.ts` what the third says of the session before each removal.
 */

function kept(message: string): Reason {
	return { code: 'kept', message };
}

// 1. Who stands on the list stays.

type NamedRow = Pick<Candidate, 'row' | 'rowNumber'>;

/** Names a row, so that everybody whom a reason concerns knows where it comes from: "Row 3 (ada@example.com)". */
function nameOfRow({ row: { email }, rowNumber }: NamedRow): string {
	return email ? `Row ${rowNumber} (${email})` : `Row ${rowNumber}`;
}

export function reasonOfAddedInRun(row: NamedRow): Reason {
	return kept(
		`The person was added by ${nameOfRow(row)} in this run, as the ID shows, and is not removed from the session.`,
	);
}

// 2. Only participants can be removed.

/** Team members and guest speakers are no registrants, so Sync leaves them as they are. */
export function isOfTheTeam(standing: Standing): boolean {
	return standing === 'team' || standing === 'guest';
}

export function reasonToLeaveTeam(changes: readonly Change[]): Reason {
	const fields = changes.map(({ field }) => `'${field}'`).join(', ');
	const message = `A team member or guest speaker: Sync does not change their answers, and the list has another value for ${fields}.`;
	return { code: 'team_member', message };
}

export const reasonWithoutId = 'The platform shows no ID of this person.';

export function reasonNeverToRemove(person: JsonObject): Reason | undefined {
	// Stricter than `standingOf`: somebody without a role may be anybody.
	const role = text(attributesOf(person).role);
	if (role.toLowerCase() !== 'participant') {
		const roleInWords = role === '' ? 'no role' : `the role '${role}'`;
		return kept(
			`The platform gives this person ${roleInWords}, and only participants are removed.`,
		);
	}
	if (standingOf(person) === 'guest') {
		return kept('The person is a guest speaker, and only participants are removed.');
	}
	if (problemOfId(person.id) !== undefined) return kept(reasonWithoutId);
	const address = addressOf(person);
	if (address === '') {
		return kept('The platform shows no address of this person, so the person may be on the list.');
	}
	if (!isGeneratedAddress(address)) return undefined;
	return kept(
		'The platform has made up the address of this person, so the person may be on the list.',
	);
}

// 3. Nobody loses an attendance.

export interface SessionOfList {
	name: string;
	session?: JsonObject;
}

/** The time in which a run is carried out, by the platform's clock. */
export interface RunTime {
	readonly nowMs: Ms;
	/** When the last removal may arrive. */
	readonly endsAtMs: Ms;
}

/** Undefined while it is certain that nobody can attend the session before the run is over. */
export function reasonToRemoveNobody(
	{ name, session = {} }: SessionOfList,
	{ nowMs, endsAtMs }: RunTime,
): Reason | undefined {
	switch (phaseOf(session, nowMs)) {
		case 'toCome':
			if (phaseOf(session, endsAtMs) === 'toCome') return undefined;
			return kept(
				`${name} is planned to begin before this run can be over, which has the time of 'Max Wait'. Nobody is removed from such a session.`,
			);
		case 'onDemand':
			return kept(
				`People may watch the replay of ${name} at any time. Nobody is removed from a session on demand.`,
			);
		case 'over':
			return kept(
				`${name} is over. Nobody is removed from a session that is over, because the record of who attended would be lost.`,
			);
		case 'canceled':
			return kept(`${name} was canceled. Nobody is removed from a canceled session.`);
		case 'live':
			return kept(`${name} is live. Nobody is removed from a session while it takes place.`);
		case 'unclear':
			return kept(
				`It is not certain that ${name} is still to come: ${describeUncertainty(session)}. Nobody is removed from such a session.`,
			);
	}
}

function describeUncertainty(session: JsonObject): string {
	const status = text(attributesOf(session).status);
	if (status === '') return 'the platform gives it no status';
	return `the platform gives it the status '${status}', and one of its times has passed or cannot be read, or the status is not known`;
}

const signsOfAttendance = [
	'attended',
	'attendance_rate',
	'attendance_duration',
	'has_viewed_replay',
	'replay_view_detail',
];

export function reasonOfAttendance(
	person: JsonObject,
	{ name }: SessionOfList,
): Reason | undefined {
	// A platform may show a sign beside the registration, and an empty one within.
	const places = [attributesOf(person), registrationOf(person)];
	if (!places.some((place) => signsOfAttendance.some((sign) => !isNoOrEmpty(place[sign])))) {
		return undefined;
	}
	return kept(
		`The person attended ${name} or watched its replay, and the record of that would be lost.`,
	);
}

export function reasonOfUnreadSession(name: string, message: string): Reason {
	return kept(
		`${name} could not be read again before the person was removed, so it may have begun. ${message}`,
	);
}

// 4. Nobody is removed from a session while something about that session is in doubt.

/** Describes the doubts about a row whose person the list of people does not show. `outcome`: the outcome of the row; undefined as long as it is open. */
export function doubtsAboutRow(row: NamedRow, outcome?: Outcome): string[] {
	if (!outcome) return [];
	switch (outcome.status) {
		case 'duplicate':
			return [];
		case 'added': {
			// A platform may write an address in another way: then the old registration is the one that was just confirmed.
			const isShown = text(outcome.person?.id) !== '';
			return isShown
				? []
				: [`${nameOfRow(row)} was added, and the platform does not show as whom.`];
		}
		case 'already_registered':
			return [
				`${nameOfRow(row)} is registered already, as the platform says, but its list of people does not show this address.`,
			];
		default: {
			const reason = reasonOf(outcome.reasons) ?? outcome.status;
			return [`${nameOfRow(row)} is on the list and was not added: ${reason}`];
		}
	}
}

export function doubtAboutSession({ rowNumber }: NamedRow): string {
	return `The session of row ${rowNumber} cannot be read, so that row may belong to any session.`;
}

/**
 * Describes that a row may mean somebody who is registered with another address and would be removed. All whom that concerns read the
 * same words. A row whose own address is not registered is held back as well, because it may be the address of a stranger, who would
 * get the link to the session; and a person who is added would be on the list of the next run, which would see no typo any more.
 */
export function describeTypingMistake(row: NamedRow, registeredAddress: string): string {
	return `${nameOfRow(row)} differs by one typo only from ${registeredAddress}, who is registered: it may be the same person.`;
}

export function describeRegisteredTwice(row: NamedRow, registeredAddress: string): string {
	return `${nameOfRow(row)} differs by one typo only from ${registeredAddress}: both are registered, and may be the same person.`;
}

export function reasonNotToAdd(mistake: string): Reason {
	const message = `Not sent. ${mistake} Correct the list, or turn on 'Remove Despite Problems' to add the one and remove the other.`;
	return { code: 'typing_mistake', message };
}

export function reasonOfLikeness(mistake: string): Reason {
	return { code: 'typing_mistake', message: mistake };
}

export function reasonOfOwnDoubt(doubt: string): Reason {
	return kept(`Not removed. ${doubt} Correct the list, or turn on 'Remove Despite Problems'.`);
}

export function reasonOfDoubt(doubt: string, more: number): Reason {
	const otherDoubts = more === 0 ? '' : ` And ${thousands(more)} more like this.`;
	return kept(
		`Not removed. ${doubt}${otherDoubts} Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.`,
	);
}

// 5. At most a fifth of a session is removed, or one person where that is more.

/** A fifth is a choice: it lets usual cancellations pass, and stops a list that was filtered or cut off by mistake. */
const participantsForOneRemoval = 5;

const mostNamedInReason = 5;

/** Somebody whose record was judged when it was read. */
interface Judged {
	readonly neverToRemove?: Reason;
	readonly visible: JsonObject;
	readonly address: string;
}

export function reasonOfTooManyRemovals(
	name: string,
	registered: readonly Judged[],
	toRemove: readonly Judged[],
	chosenLimit?: number,
): Reason | undefined {
	const participants = registered.filter(({ neverToRemove }) => !neverToRemove).length;
	const usualLimit = Math.max(1, Math.floor(participants / participantsForOneRemoval));
	const limit = chosenLimit ?? usualLimit;
	if (toRemove.length <= limit) return undefined;
	const names = toRemove
		.slice(0, mostNamedInReason)
		.map(({ visible, address }) => fullName(visible) || address)
		.join(', ');
	const unnamed = toRemove.length - mostNamedInReason;
	const more = unnamed > 0 ? ` and ${thousands(unnamed)} more` : '';
	const message = `The list would remove ${thousands(toRemove.length)} of ${thousands(participants)} people from ${name}, and at most ${thousands(limit)} may be removed. They are ${names}${more}.`;
	return { code: 'too_many_removals', message };
}
