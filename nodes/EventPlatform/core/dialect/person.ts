import { isObject, type Json, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { isNoOrEmpty } from './flags';

/*
 * What this rests on: recorded registrations have the answers in `registrant_detail.fields`, and the name and the email among the
 * attributes. Section 4.3 does not show the payload of a single registration.
 */

/** The registration is the one in the session that the record was listed for. */
export function registrationOf({ attributes }: JsonObject): JsonObject {
	const detail = isObject(attributes) ? attributes.registrant_detail : undefined;
	return isObject(detail) ? detail : {};
}

/**
 * The part that a person has in a session. `unclear`: the role is none that the specification names, and no guest speaker. Each use takes
 * the safe side: a report counts such people, Sync updates them and removes none of them, and of two with one address they go behind
 * the registrant.
 */
export type Standing = 'registrant' | 'team' | 'guest' | 'unclear';

/** Says who somebody in the list of people is. A record without a role is of a registrant. */
export function standingOf(person: JsonObject): Standing {
	const role = isObject(person.attributes) ? text(person.attributes.role).toLowerCase() : '';
	if (role === 'team_member') return 'team';
	if (!isNoOrEmpty(registrationOf(person).is_guest_speaker)) return 'guest';
	return ['', 'participant'].includes(role) ? 'registrant' : 'unclear';
}

/** The current answer of a person to a question, or the attribute with the name of the question. */
interface CurrentAnswer {
	value: Json;
	/** The type of the question in the words of the platform; empty where it does not say. */
	type: string;
}

/** Finds the answer of a person to a question. The name and the email also stand beside the answers, where a form may not have asked. */
export function answerOf(person: JsonObject, questionId: string): CurrentAnswer {
	const answer = answersIn(registrationOf(person)).get(questionId);
	const attributes = isObject(person.attributes) ? person.attributes : {};
	const value = answer?.value ?? attributes[questionId] ?? null;
	return { value, type: text(answer?.type) };
}

/**
 * The answers to the form by the ids of their questions, in the registration of a person; of several to one question the last, because a
 * person who answers again adds to the list.
 */
export function answersIn({ fields }: JsonObject): Map<string, JsonObject> {
	const answers = Array.isArray(fields) ? fields.filter(isObject) : [];
	return new Map(answers.map((answer) => [text(answer.id), answer]));
}

/** The form of a link that may be handed on. Anything else, such as a script, may not. */
const webAddress = /^https?:\/\/[^\s"'<>]+$/i;

/**
 * Finds the personal link of a person, with which anybody enters as that person. Null where the platform has not sent one. It does not
 * search the answers to a form and related records.
 */
export function joinLinkOf(record: JsonObject): string | null {
	const link = text(registrationOf(record).connection_link).trim();
	return webAddress.test(link) ? link : null;
}
