import { isObject, type JsonObject } from '../values/json';
import { contentOf } from '../dialect/envelope';
import { registrationOf } from '../dialect/person';
import { normalizeId } from '../client/path';

/** A record as an answer or a delivery shows it, with all its parts. */
export interface DeliveredRecord extends JsonObject {
	type: string;
	id: string;
	attributes: JsonObject;
	relationships: JsonObject;
}

/** As UUIDs are written: anything else could change the path that it becomes a part of. */
function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** Flat or in `data`; undefined when it cannot be a record. */
export function readDelivered(body: unknown): DeliveredRecord | undefined {
	const { id, type, attributes, relationships } = contentOf(body) ?? {};
	const name = typeof id === 'number' ? String(id) : id;
	if (!isId(name)) return undefined;
	return {
		type: typeof type === 'string' ? type : '',
		id: normalizeId(name),
		attributes: isObject(attributes) ? attributes : {},
		relationships: isObject(relationships) ? relationships : {},
	};
}

/** The id of the session or event that this is, or belongs to. */
export function idOf(name: 'session' | 'event', record: DeliveredRecord): string | undefined {
	if (record.type === `${name}s`) return record.id;
	const relation = record.relationships[name];
	const candidates = [
		registrationOf(record)[`${name}_id`],
		record.attributes[`${name}_id`],
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
	const id = candidates.find(isId);
	return id === undefined ? undefined : normalizeId(id);
}

/** A person out of the list of a session, of which the record itself may say nothing. */
export function inSession(record: DeliveredRecord, session: string): DeliveredRecord {
	if (idOf('session', record) !== undefined) return record;
	const registrant_detail = { ...registrationOf(record), session_id: session };
	return { ...record, attributes: { ...record.attributes, registrant_detail } };
}
