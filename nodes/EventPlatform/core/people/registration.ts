import type { JsonObject } from '../values/json';
import { sameAddress } from './address';

/*
 * People who register: who is who, what is changed, and what became of them. Begin here: a registration, and the row of the
 * list that it comes from.
 *
 *   address.ts, addressesWithin.ts   addresses, as they are compared and as records hold them
 *   identity.ts, findPeople.ts       which records are one person, and who is registered for a session
 *   emailUse.ts                      what an event does with emails: public events replace them
 *   registrationResponse.ts          the response to a registration, and whether it means that somebody was registered before
 *   changes.ts, amend.ts             what an update changes, and how one person is updated
 *   sameAnswer.ts, typingMistakes.ts            answers and addresses that mean the same, or almost
 *   outcome.ts, reason.ts, peopleInWords.ts     what became of a person, and the words for it
 */

/** The answer to a question of the form. */
export interface PersonField {
	/** The ID of the question. */
	id: string;
	/** The answer; several texts where the question lets people choose several. */
	value: string | string[];
}

/** The content of a registration, as it is sent. */
export interface Registration {
	/** The answers to the questions of the form. */
	readonly fields: readonly PersonField[];
	/** The values of `referrer` and the utm keys, by the names that the platform gives them. */
	readonly tracking: Readonly<Record<string, string>>;
}

/** A row of the list: somebody to register, as the input has it. */
export interface Row {
	/** The session to register for. */
	sessionId: string;
	/** The email without what does not belong to it (`cleanAddress`), or as the input has it where it is no address. Absent: there is none. */
	email?: string;
	/** The email in the spelling in which it is compared (`sameAddress`); empty where there is none. */
	address: string;
	/** The part of the person that is sent. */
	registration: Registration;
	/** The reasons why this person cannot be sent, in words for people. */
	problems: readonly string[];
}

/** Gives the email of a row, and the address by which it is compared. */
export function emailAndAddressOf(email: string | undefined): Pick<Row, 'email' | 'address'> {
	return { email, address: sameAddress(email ?? '') };
}

/** Gives the texts that are sent of a person beside the email. */
export function otherValuesOf({ fields, tracking }: Registration): string[] {
	const answers = fields.filter(({ id }) => id !== 'email').flatMap(({ value }) => value);
	return [...answers, ...Object.values(tracking)];
}

/** A way to write registrations for a platform that refuses what public clients send and section 2.2 does not name. */
export interface TaskVariant {
	/** Several answers of one question are one text. Absent: they are a list. */
	readonly listsAsTexts?: true;
	/** The UTM values beside the source are left out. Absent: they are sent. */
	readonly withoutCampaign?: true;
}

/** Gives the names of the values in a registration that section 2.2 does not name: utm_medium, utm_campaign, utm_term and utm_content. */
export function unspecifiedTracking({ tracking }: Pick<Registration, 'tracking'>): string[] {
	return Object.keys(tracking).filter((name) => !['referrer', 'utm_source'].includes(name));
}

/** Writes a registration as section 2.2 has it. A single registration and its update take the same form. */
export function asTask(registration: Registration, variant: TaskVariant = {}): JsonObject {
	const fields = registration.fields.map(({ id, value }) => ({
		id,
		value: variant.listsAsTexts ? [value].flat().join(', ') : value,
	}));
	const tracking = { ...registration.tracking };
	if (variant.withoutCampaign) {
		for (const name of unspecifiedTracking(registration)) delete tracking[name];
	}
	return { fields, ...tracking };
}
