import { isObject, type Json, type JsonObject } from '../values/json';
import { registrationOf } from './person';

/*
 * What this rests on: recorded registrations name the session and the event in `registrant_detail`, recorded sessions the event in
 * `event_id`, and the vendor's request for an event refers to sessions as relationships.
 */

export function isUuid(id: unknown): id is string {
	return typeof id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}

/** A record may name its session or its event in the registration of a person, among the attributes, or as a relationship. */
export function relatedIdsIn(
	record: JsonObject,
	name: 'session' | 'event',
): ReadonlyArray<Json | undefined> {
	const { attributes, relationships } = record;
	const relation = isObject(relationships) ? relationships[name] : undefined;
	return [
		registrationOf(record)[`${name}_id`],
		isObject(attributes) ? attributes[`${name}_id`] : undefined,
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
}
