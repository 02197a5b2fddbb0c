import type { JsonObject } from '../values/json';
import { normalizeAddress } from './address';

/*
 * People who register: who is who, what is changed, and what became of them. Begin here: a registration, and the row of the
 * list that it comes from.
 *
 *   address.ts                       addresses, as they are compared
 *   identity.ts, findPeople.ts       the addresses of a person, and who is registered for a session
 *   registrationTime.ts              when somebody registered
 *   emailUse.ts                      what an event does with emails: public events replace them
 *   changes.ts, amend.ts             what an update changes, which answers mean the same, and how one person is updated
 *   removal.ts                       how one person is removed
 *   typingMistakes.ts                addresses that are almost the same
 *   conclusion.ts                    what a person gets where a request has no answer
 *   outcome.ts, peopleInWords.ts     what became of a person, and the words for it
 */

export interface PersonField {
	id: string;
	value: string | string[];
}

export interface Registration {
	readonly fields: readonly PersonField[];
	/** The values of `referrer` and the utm keys, by the names that the platform gives them. */
	readonly tracking: Readonly<Record<string, string>>;
}

export interface Row {
	/** In one spelling for all rows, so that two spellings are one session (`normalizeId`). */
	sessionId: string;
	/** The email without what does not belong to it (`cleanAddress`), or as the input has it where it is no address; empty where there is none. */
	email: string;
	/** The email in the spelling in which it is compared (`normalizeAddress`); empty where there is none. */
	address: string;
	registration: Registration;
	problems: readonly string[];
	/** Of a row with problems: each text in it that may hold an address, because any of them may be that of the person. */
	possibleEmails?: readonly string[];
}

export function emailAndAddressOf(email = ''): Pick<Row, 'email' | 'address'> {
	return { email, address: normalizeAddress(email) };
}

/** Section 2.2 does not name utm_medium, utm_campaign, utm_term and utm_content. */
export function unspecifiedTracking({ tracking }: Pick<Registration, 'tracking'>): string[] {
	return Object.keys(tracking).filter((name) => !['referrer', 'utm_source'].includes(name));
}

/** `isPlain`: without what section 2.2 does not name, for a platform that refuses it. */
export function asTask(registration: Registration, isPlain = false): JsonObject {
	const fields = registration.fields.map(({ id, value }) => ({
		id,
		value: isPlain ? [value].flat().join(', ') : value,
	}));
	const tracking = { ...registration.tracking };
	for (const name of isPlain ? unspecifiedTracking(registration) : []) delete tracking[name];
	return { fields, ...tracking };
}
