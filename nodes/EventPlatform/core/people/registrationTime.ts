import { attributesOf } from '../client/document';
import { registrationOf } from '../dialect/person';
import { parseSeconds } from '../dialect/time';
import type { JsonObject } from '../values/json';
import type { Seconds } from '../values/units';

/** The dates of a person in a session, in seconds since 1970 by the platform's clock. */
export interface RegistrationDates {
	registeredAt?: Seconds;
	createdAt?: Seconds;
}

export function registrationDates(person: JsonObject): RegistrationDates {
	return {
		registeredAt: parseSeconds(registrationOf(person).created_at),
		createdAt: parseSeconds(attributesOf(person).created_at ?? person.created_at),
	};
}

/**
 * When somebody registered, in Unix seconds. Where the registration has no time, it is the time at which the platform came to
 * know the person, who cannot have registered earlier. Undefined where the platform tells neither.
 */
export function registeredAtSeconds(person: JsonObject): Seconds | undefined {
	const { registeredAt, createdAt } = registrationDates(person);
	return registeredAt ?? createdAt;
}

/**
 * Somebody who registered when the session was over, to watch the replay, cannot have missed it. Undefined where the platform does
 * not tell when they registered, and while the session has not ended: `endedAtSeconds` is undefined then.
 */
export function isRegisteredAfterEnd(
	person: JsonObject,
	endedAtSeconds?: Seconds,
): boolean | undefined {
	const registeredAt = registeredAtSeconds(person);
	if (registeredAt === undefined || endedAtSeconds === undefined) return undefined;
	return registeredAt > endedAtSeconds;
}
