import { isObject } from '../http/json';
import { listRecords } from '../http/paginate';
import type { Ask, Json, JsonObject } from '../http/ports';
import { asSpelled } from '../http/path';
import { unixMs } from '../http/unixMs';

export interface DeliveredRecord extends JsonObject {
	type: string;
	id: string;
	attributes: JsonObject;
	relationships: JsonObject;
}

/** Something that the sender says has happened. Nothing in it is proven. */
export interface Delivery {
	kind: string;
	record: DeliveredRecord;
}

/** As UUIDs are written. Anything else could change the path that it becomes a part of. */
function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** One record, flat or in `data`; undefined when it cannot be one. */
export function readDelivered(body: unknown): DeliveredRecord | undefined {
	if (!isObject(body)) return undefined;
	const { id, type, attributes, relationships } = isObject(body.data) ? body.data : body;
	const name = typeof id === 'number' ? String(id) : id;
	if (!isId(name)) return undefined;
	return {
		type: typeof type === 'string' ? type : '',
		id: asSpelled(name),
		attributes: isObject(attributes) ? attributes : {},
		relationships: isObject(relationships) ? relationships : {},
	};
}

/** What of a list can be read as records. */
export async function listDelivered(
	api: Ask,
	path: string,
	options: Parameters<typeof listRecords>[2],
): Promise<DeliveredRecord[]> {
	const records = await listRecords(api, path, options);
	return records.flatMap((one) => readDelivered(one) ?? []);
}

/** Unix seconds of a time as a number, a text of digits or ISO 8601; undefined: it is not set. */
export function seconds(time: Json | undefined): number | undefined {
	if (typeof time !== 'number' && typeof time !== 'string') return undefined;
	const value = Number(time);
	if (Number.isNaN(value)) return seconds(Date.parse(String(time)));
	if (!(value > 0)) return undefined;
	return Math.floor(unixMs(value) / 1_000);
}

/** How a person stands to the session that the record shows them in. */
export function registrationOf({ attributes }: DeliveredRecord): JsonObject {
	return isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
}

/** The session that a session or a person in a session belongs to. */
export function sessionIdOf(record: DeliveredRecord): string | undefined {
	return record.type === 'sessions' ? record.id : linked(record, 'session');
}

/** The event that an event, a session or a person in a session belongs to. */
export function eventOf(record: DeliveredRecord): string | undefined {
	return record.type === 'events' ? record.id : linked(record, 'event');
}

function linked(record: DeliveredRecord, name: string): string | undefined {
	const relation = record.relationships[name];
	const candidates = [
		registrationOf(record)[`${name}_id`],
		record.attributes[`${name}_id`],
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
	const id = candidates.find(isId);
	return id === undefined ? undefined : asSpelled(id);
}

/** A person out of the list of a session, of which the record itself may say nothing. */
export function inSession(record: DeliveredRecord, session: string): DeliveredRecord {
	if (sessionIdOf(record) !== undefined) return record;
	const registrant_detail = { ...registrationOf(record), session_id: session };
	return { ...record, attributes: { ...record.attributes, registrant_detail } };
}
