import { replaceAddresses } from '../values/text';
import type { PlatformError } from './errors';

/*
 * What this rests on: section 7 has the code alone. Public clients know "Email has already been invited", "has already been taken" and
 * "already been registered", with codes such as 422, for bulk and for single registrations. Livestorm's own client also knows "Identity
 * has already been taken".
 */

/** Codes that only name an HTTP status, as some platforms send them. They name no problem. */
const statusName = /^(?:\d*|bad_request|conflict|unprocessable_(?:content|entity))$/;

/**
 * The sentences by which platforms say that a person is registered: "Email has already been invited", "has already been taken",
 * "ada@example.com is already registered for this session". They have to be about the person or the address, because seats and phones
 * can be taken as well, and about this session.
 */
const registeredSentence =
	/^(?:validation failed )?(?:(?:the |this )?(?:email|identity|person|participant|registrant|attendee) )?(?:(?:is|has) )?already (?:been )?(?:registered|invited|taken)(?: (?:for|to) (?:this|the) (?:session|event|webinar))?$/;

type Telling = 'byCode' | 'byWords' | 'anotherCode' | 'nothing';

/**
 * Reads how errors say that a person is registered (section 7), and not whether, because a code counts for more than words do. A code that is
 * a name decides alone, also where it names another problem; otherwise every error has to say so in words.
 *
 * Errors of a task are believed (`saysRegistered`), and those of Register as people/conclusion.ts says.
 */
export function howRegisteredIsTold(errors: readonly PlatformError[]): Telling {
	const names = errors.map(problemNameOf).filter((name) => name !== undefined);
	if (names.length > 0) return names.includes('already_registered') ? 'byCode' : 'anotherCode';
	return errors.length > 0 && errors.every(isAboutRegistration) ? 'byWords' : 'nothing';
}

export function saysRegistered(errors: readonly PlatformError[]): boolean {
	return ['byCode', 'byWords'].includes(howRegisteredIsTold(errors));
}

function problemNameOf({ code = '' }: PlatformError): string | undefined {
	const name = withoutSigns(code, '_').replace(/^[1-5]\d\d(?:_|$)/, '');
	return statusName.test(name) ? undefined : name;
}

function isAboutRegistration({ title = '', detail = title, about }: PlatformError): boolean {
	if (about !== undefined && !/\b(?:email|identity)$/i.test(about)) return false;
	return registeredSentence.test(withoutSigns(replaceAddresses(detail, 'email'), ' '));
}

/** Writes a text in small letters, without quotation marks, brackets and the like, which make no other sentence. */
function withoutSigns(text: string, separator: string): string {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((part) => part !== '')
		.join(separator);
}
