import { isObject, type JsonObject } from '../values/json';
import { contentOf, fieldsIn } from '../dialect/envelope';
import { registrationOf } from '../dialect/person';
import { normalizeId } from '../client/path';
import { digestOf } from '../values/text';

/*
 * Reads a record that was delivered or listed: its id, and the session and the event that it belongs to.
 *
 * What this rests on: recorded records name the session and the event as each function says. Section 6 does not say that every record has an
 * id; each recorded one has, and a delivery without one gets an id that is made of its body.
 */

const madeId = /^made-[\w-]{22}$/;

/** Makes an id for a record that the platform shows without one. No request can ask for it. */
export function madeIdOf(identity: string): string {
	return `made-${digestOf(identity)}`;
}

/** The id is the platform's. */
export function hasOwnId({ id }: DeliveredRecord): boolean {
	return !madeId.test(id);
}

export interface DeliveredRecord extends JsonObject {
	/** The kind of the record, such as `people`; empty where it was not sent. */
	type: string;
	/** The ID, in the spelling in which IDs are compared. */
	id: string;
	attributes: JsonObject;
	/** The records that it refers to, by the name of the relation; empty where none were sent. */
	relationships: JsonObject;
}

/**
 * Stricter than for the ids that people enter: a delivery may come from anybody, and a server that decodes a path before it reads it
 * would take "..%2Fwebhooks" for another address. No platform was seen to have other signs in an id.
 */
function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** Reads a record, which is flat or in `data`; undefined where the body cannot be a record. */
export function readDelivered(body: unknown): DeliveredRecord | undefined {
	const record = contentOf(body) ?? {};
	const { id, type, relationships } = record;
	if (!isId(id)) return undefined;
	return {
		type: typeof type === 'string' ? type : '',
		id: normalizeId(id),
		attributes: fieldsIn(record),
		relationships: isObject(relationships) ? relationships : {},
	};
}

/** Reads the records of a list, without those that have no id. */
export function deliveredIn(records: readonly JsonObject[]): DeliveredRecord[] {
	return records.map(readDelivered).filter((record) => record !== undefined);
}

/**
 * A person names the session and the event in the registration, a session its event among the attributes, as recorded records show.
 * A recorded event names its included sessions as relationships, so a session may name its included event in the same way.
 */
export function idOf(name: 'session' | 'event', record: DeliveredRecord): string | undefined {
	if (record.type === `${name}s` && hasOwnId(record)) return record.id;
	const { attributes, relationships } = record;
	const relation = relationships[name];
	const ids = [
		registrationOf(record)[`${name}_id`],
		attributes[`${name}_id`],
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
	const id = ids.find(isId);
	return id === undefined ? undefined : normalizeId(id);
}

/**
 * Adds the ids of the session and of its event to a record from a list of the session, because the record itself may not name them. A person
 * has them in the registration.
 */
export function withSession(
	record: DeliveredRecord,
	recordType: string,
	session: DeliveredRecord,
): DeliveredRecord {
	const session_id = idOf('session', record) ?? session.id;
	const event_id = idOf('event', record) ?? idOf('event', session) ?? null;
	const registrant_detail = { ...registrationOf(record), session_id, event_id };
	const added: JsonObject =
		recordType === 'people' ? { registrant_detail } : { session_id, event_id };
	return { ...record, attributes: { ...record.attributes, ...added } };
}
