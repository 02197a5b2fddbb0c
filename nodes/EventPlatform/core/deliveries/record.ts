import { isObject, unixMs, type Json, type JsonObject } from '../http/json';
import { attributesOf, includedIn, listRecords, readRecord } from '../http/jsonApi';
import { asSpelled, pathTo, type ApiRequest, type Ask } from '../http/ports';

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

export type Attendance = 'came' | 'stayed away';

/** An event as a list of the platform shows it. */
export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	titles?: Titles;
	/** Its time does not tell whether it is new in the list. */
	isLate: boolean;
	attendance?: Attendance;
}

/** As UUIDs are written: anything else could change the path that it becomes a part of. */
function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/** Flat or in `data`; undefined when it cannot be a record. */
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

/** Of a session, or of a person in one. */
export function sessionIdOf(record: DeliveredRecord): string | undefined {
	return record.type === 'sessions' ? record.id : linked(record, 'session');
}

/** Of an event, a session, or a person in one. */
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

export interface Titles extends JsonObject {
	event_title: Json;
	session_name: Json;
}

/** Brings the title of the event without another request. */
export const withEvent = { include: 'event' };

/** Gives a session of an answer the title of its event, which stands beside it. */
export function eventTitles(body: unknown): (record: JsonObject) => JsonObject {
	const events = includedIn(body).flatMap((one) => readDelivered(one) ?? []);
	const titles = new Map(events.map(({ id, attributes }) => [id, attributes.title ?? null]));
	return (record) => {
		const session = readDelivered(record);
		const event_title = session && titles.get(eventOf(session) ?? '');
		if (event_title === undefined) return record;
		return { ...record, attributes: { event_title, ...attributesOf(record) } };
	};
}

export async function readTitled(
	api: Ask,
	id: string,
	more?: Pick<ApiRequest, 'deadline' | 'once'>,
): Promise<JsonObject> {
	const path = pathTo`/sessions/${id}`;
	const request: ApiRequest = { method: 'GET', path, query: withEvent, ...more };
	const answer = await api(request);
	return eventTitles(answer.body)(readRecord(request, answer));
}

export function titlesOf({ event_title = null, name = null }: JsonObject): Titles {
	return { event_title, session_name: name };
}
