import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import { areDifferentUuids } from '../client/path';
import { normalizeAddress } from './address';
import { registrationOf, standingOf } from '../dialect/person';
import { fieldsOf, type Fields } from '../records/simplify';

export function addressOf(person: JsonObject): string {
	return normalizeAddress(text(attributesOf(person).email));
}

/** Simplified fields show the person's address first, or the answer where the person has none; undefined where there is neither. */
export function addressOfFields(fields: Fields): string | undefined {
	return normalizeAddress(text(fields.get('email'))) || undefined;
}

/** There is a second address where the person has another one than the registration. */
export function addressesOf(person: JsonObject): string[] {
	return addressesOfFields(fieldsOf(person));
}

export function addressesOfFields(fields: Fields): string[] {
	const addresses = new Set(
		['email', 'email_answer'].map((name) => normalizeAddress(text(fields.get(name)))),
	);
	addresses.delete('');
	// A list that was filtered would keep room for more in memory, for each person of a run.
	return [...addresses];
}

/** `sessionId`: the session for which the record was listed. */
export function isOfAnotherSession(person: JsonObject, sessionId: string): boolean {
	return areDifferentUuids(registrationOf(person).session_id, sessionId);
}

/** The team, guest speakers and people of unknown roles stand in the same list. */
export function isRegistrant(person: JsonObject): boolean {
	return standingOf(person) === 'registrant';
}

/** Sorts people with the same address by whether each is a registrant: those go before the team, which may have the address as well. */
export function registrantFirst(first: boolean, second: boolean): number {
	return Number(second) - Number(first);
}
