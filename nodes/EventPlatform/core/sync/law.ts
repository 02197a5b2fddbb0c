import type { PersonOutcome } from '../bulk/outcome';
import type { Candidate } from '../bulk/plan';
import { text, type JsonObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import { areOthers, problemOfId } from '../http/ports';
import { sameAddress } from '../jobs/address';
import { reasonOf, type Reason } from '../jobs/task';
import { registrationOf } from '../records/record';
import { fieldsOf, fullName } from '../records/simplify';

/**
 * Whom Sync may remove. The law has four parts, in this order:
 *
 * 1. Who stands on the list stays, by any address that the run knows of the person.
 * 2. Only participants can be removed. Somebody who may be no participant is kept.
 * 3. Nobody is removed from a session while something about that session is in doubt.
 * 4. At most a fifth of a session is removed, unless the user gives another number.
 *
 * `plan.ts` applies the law before anything is sent, and `run.ts` once more before it removes anybody.
 */

/** A row of the list, or somebody who is registered and not on it. */
export interface Entry extends Candidate {
	/** Among all of them, which begin with the list. */
	index: number;
	/** The record of somebody who is registered. */
	person?: JsonObject;
	/** What is so when everything succeeds; at the end, what became of it. */
	outcome: PersonOutcome;
}

// 1. Who stands on the list stays.

/** The second one where the person has another address than the registration. */
export function addressesOf(person: JsonObject): string[] {
	const fields = fieldsOf(person);
	const shown = ['email', 'email_answer'].map((name) => sameAddress(text(fields.get(name))));
	return shown.filter((address) => address !== '');
}

/** All addresses that the sessions of a run show of a person. A person has one id in all of them. */
export function addressBook(people: readonly JsonObject[]): (person: JsonObject) => string[] {
	const book = new Map<string | JsonObject, Set<string>>();
	// Without an id each record is somebody of its own.
	const keyOf = (person: JsonObject) => text(person.id) || person;
	for (const person of people) {
		const known = book.get(keyOf(person)) ?? [];
		book.set(keyOf(person), new Set([...known, ...addressesOf(person)]));
	}
	return (person) => [...(book.get(keyOf(person)) ?? [])];
}

export function addressOf(person: JsonObject): string {
	return sameAddress(text(attributesOf(person).email));
}

/** The platform lists somebody who is registered for another session, as the record says. */
export function isOfAnotherSession(person: JsonObject, sessionId: string): boolean {
	return areOthers(registrationOf(person).session_id, sessionId);
}

/** Who was added is on the list, whatever the list of people showed before. */
export function addedAs(email: string): string {
	return `The person was added as ${email} in this run, as the ID shows, and is not removed from the session.`;
}

// 2. Only participants can be removed.

/** Team members and guest speakers are nobody's registrants: Sync leaves them as they are. */
export function isOfTheTeam(person: JsonObject): boolean {
	const guest = text(registrationOf(person).is_guest_speaker);
	const isGuest = !['', 'false', '0'].includes(guest);
	return text(attributesOf(person).role).toLowerCase() === 'team_member' || isGuest;
}

export const noId = 'The platform shows no ID of this person.';

/** Why a person is never removed, although the person is not on the list. */
export function whyNever(person: JsonObject): string | undefined {
	const role = text(attributesOf(person).role);
	if (role.toLowerCase() !== 'participant') {
		const shown = role === '' ? 'no role' : `the role '${role}'`;
		return `The platform gives this person ${shown}, and only participants are removed.`;
	}
	if (problemOfId(person.id) !== undefined) return noId;
	if (addressOf(person) !== '') return undefined;
	return 'The platform shows no address of this person, so the person may be on the list.';
}

// 3. Nobody is removed from a session while something about that session is in doubt.

/** What a row leaves open whose person is not known to be registered, in a sentence. */
export function doubtAbout({ index, email, outcome: { status, errors } }: Entry): string[] {
	if (status === 'added' || status === 'duplicate') return [];
	const who = email ? `Row ${index + 1} (${email})` : `Row ${index + 1}`;
	const what =
		status === 'already_registered'
			? 'is registered already, as the platform says, but its list of people does not show this address.'
			: `is on the list and was not added: ${reasonOf(errors) ?? status}`;
	return [`${who} ${what}`];
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
	const others = more === 0 ? '' : ` And ${more} more like this.`;
	return `Not removed. ${first}${others} Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.`;
}

// 4. At most a fifth of a session is removed.

/** Why the run must not begin: too many of the others would be removed of those who are there. */
export function tooMany(
	session: string,
	there: readonly JsonObject[],
	others: readonly JsonObject[],
	given?: number,
): Reason | undefined {
	const isRemovable = (person: JsonObject) => !isOfTheTeam(person) && !whyNever(person);
	const participants = there.filter(isRemovable).length;
	const people = others.filter(isRemovable);
	const most = given ?? Math.max(1, Math.floor(participants / 5));
	if (people.length <= most) return undefined;
	const nameOf = (one: JsonObject) => fullName(attributesOf(one)) || addressOf(one);
	const names = people.slice(0, 5).map(nameOf).join(', ');
	const more = people.length > 5 ? ` and ${people.length - 5} more` : '';
	const message = `The list would remove ${people.length} of ${participants} people from ${session}, and at most ${most} may be removed. They are ${names}${more}. Nothing was sent.`;
	return { code: 'too_many_removals', message };
}
