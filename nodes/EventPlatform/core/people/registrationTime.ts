import { attributesOf } from '../client/document';
import { registrationOf } from '../dialect/person';
import { parseSeconds } from '../dialect/time';
import type { JsonObject } from '../values/json';

/**
 * When somebody registered, in Unix seconds. Where the registration has no time, it is the time at which the platform came to
 * know the person, who cannot have registered earlier. Undefined where the platform tells neither.
 */
export function registeredAtSeconds(person: JsonObject): number | undefined {
	return (
		parseSeconds(registrationOf(person).created_at) ?? parseSeconds(attributesOf(person).created_at)
	);
}

/**
 * Whether somebody registered when the session was over, to watch the replay, and so cannot have missed it.
 * `endedAtSeconds`: undefined while the session has not ended.
 */
export function isRegisteredAfterEnd(person: JsonObject, endedAtSeconds?: number): boolean {
	const registeredAt = registeredAtSeconds(person) ?? -Infinity;
	return endedAtSeconds !== undefined && registeredAt > endedAtSeconds;
}
