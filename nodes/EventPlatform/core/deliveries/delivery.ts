import { isObject } from '../http/json';
import type { Json, JsonObject } from '../http/ports';

export type Subject = 'job' | 'people' | 'session' | 'event';

/** Something that the sender says has happened. Nothing in it is proven. */
export interface Delivery {
	kind: string;
	record: DeliveredRecord;
}

export interface DeliveredRecord extends JsonObject {
	type: string;
	id: string;
	attributes: JsonObject;
	relationships: JsonObject;
}

const subjectOfType: Readonly<Record<string, Subject>> = {
	jobs: 'job',
	people: 'people',
	sessions: 'session',
	events: 'event',
};

/** As UUIDs are written. Anything else could become part of a path that it has no business in. */
export function isId(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}

/**
 * Reads both forms: the specification's (the record itself, flat) and the one that clients have seen
 * (the record in `data`, the kind in its `meta`). `kinds` are those that this trigger listens to.
 */
export function readDelivery(body: unknown, kinds: readonly string[]): Delivery | undefined {
	const record = readDelivered(body);
	if (record === undefined || !isObject(body)) return undefined;
	const inner = isObject(body.data) ? body.data.meta : undefined;
	const kind = statedKind(inner) ?? statedKind(body.meta) ?? impliedKind(record.type, kinds);
	return kind === undefined ? undefined : { kind, record };
}

/** One record, flat or in `data`; undefined when it cannot be one. */
export function readDelivered(body: unknown): DeliveredRecord | undefined {
	if (!isObject(body)) return undefined;
	const { id, type, attributes, relationships } = isObject(body.data) ? body.data : body;
	const name = typeof id === 'number' ? String(id) : id;
	if (!isId(name)) return undefined;
	return {
		type: typeof type === 'string' ? type : '',
		id: name,
		attributes: isObject(attributes) ? attributes : {},
		relationships: isObject(relationships) ? relationships : {},
	};
}

function statedKind(meta: Json | undefined): string | undefined {
	const event = isObject(meta) && isObject(meta.webhook) ? meta.webhook.event : undefined;
	return typeof event === 'string' && event !== '' ? event : undefined;
}

/** Section 6: a job comes without its kind. Others are told by their type when only one kind fits. */
function impliedKind(type: string, kinds: readonly string[]): string | undefined {
	if (type === 'jobs') return 'job.ended';
	const subject = Object.hasOwn(subjectOfType, type) ? subjectOfType[type] : undefined;
	const candidates = kinds.filter((kind) => subject !== undefined && subjectOf(kind) === subject);
	return candidates.length === 1 ? candidates[0] : undefined;
}

const subjects: Readonly<Record<string, Subject>> = {
	job: 'job',
	people: 'people',
	session: 'session',
	event: 'event',
};

/** What an event of this kind is about, as far as its name says. */
export function subjectOf(kind: string): Subject | undefined {
	const [prefix = ''] = kind.split('.');
	return Object.hasOwn(subjects, prefix) ? subjects[prefix] : undefined;
}

/** The session that a session or a person in a session belongs to. */
export function sessionOf(record: DeliveredRecord): string | undefined {
	return record.type === 'sessions' ? record.id : linked(record, 'session');
}

/** The event that an event, a session or a person in a session belongs to. */
export function eventOf(record: DeliveredRecord): string | undefined {
	return record.type === 'events' ? record.id : linked(record, 'event');
}

function linked({ attributes, relationships }: DeliveredRecord, name: string): string | undefined {
	const detail = attributes.registrant_detail;
	const relation = relationships[name];
	const candidates = [
		isObject(detail) ? detail[`${name}_id`] : undefined,
		attributes[`${name}_id`],
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
	return candidates.find(isId);
}
