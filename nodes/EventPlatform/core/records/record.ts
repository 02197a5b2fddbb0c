import { isObject, type JsonObject } from '../values/json';
import { contentOf } from '../dialect/envelope';
import { idIn, relatedIdsIn } from '../dialect/ids';
import { registrationOf } from '../dialect/person';
import { normalizeId } from '../client/path';

/** A record as an answer or a delivery shows it, with all its parts. */
export interface DeliveredRecord extends JsonObject {
	/** The kind of the record, such as `people`; empty where it was not sent. */
	type: string;
	/** The ID, in the spelling in which IDs are compared. */
	id: string;
	/** The record's own facts; empty where nothing was sent. */
	attributes: JsonObject;
	/** The records that it refers to, by the name of the relation; empty where none were sent. */
	relationships: JsonObject;
}

/** Whether a value is written like a UUID. Anything else could change the path that it becomes a part of. */
function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** Flat or in `data`; undefined when it cannot be a record. */
export function readDelivered(body: unknown): DeliveredRecord | undefined {
	const record = contentOf(body) ?? {};
	const { type, attributes, relationships } = record;
	const id = idIn(record);
	if (!isId(id)) return undefined;
	return {
		type: typeof type === 'string' ? type : '',
		id: normalizeId(id),
		attributes: isObject(attributes) ? attributes : {},
		relationships: isObject(relationships) ? relationships : {},
	};
}

/** The id of the session or event that this is, or belongs to. */
export function idOf(name: 'session' | 'event', record: DeliveredRecord): string | undefined {
	if (record.type === `${name}s`) return record.id;
	const id = relatedIdsIn(record, name).find(isId);
	return id === undefined ? undefined : normalizeId(id);
}

/** A person out of the list of a session, of which the record itself may say nothing. */
export function inSession(record: DeliveredRecord, session: string): DeliveredRecord {
	if (idOf('session', record) !== undefined) return record;
	const registrant_detail = { ...registrationOf(record), session_id: session };
	return { ...record, attributes: { ...record.attributes, registrant_detail } };
}
