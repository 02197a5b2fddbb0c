import type { INodeProperties } from 'n8n-workflow';
import type { ItemOperation, Visit } from './operation';
import { withDates } from '../parameters/dates';
import { locatorsOf } from '../parameters/locators';
import type { Query, Read } from '../parameters/read';
import { listFields, pickFields, recordFields, type RecordKind } from '../parameters/recordFields';
import { thousands } from '../core/http/cost';
import { isObject } from '../core/http/json';
import { attributesOf, readRecord, recordKey } from '../core/http/jsonApi';
import { listRecords } from '../core/http/paginate';
import type { Api, ApiRequest, Json, JsonObject } from '../core/http/ports';
import { text } from '../core/http/text';
import { fieldsOf, type Fields } from '../core/records/simplify';

/** What an operation can be asked for beside the records, and what of it goes into the query. */
interface Extras {
	filters?: INodeProperties[];
	options?: INodeProperties[];
	/** Where it is not the filters and the options as they were chosen. */
	query?: (read: Read) => Query;
}

interface Requesting<Result> extends Pick<ItemOperation, 'fields' | 'overlapping'> {
	run(this: void, visit: Visit): Promise<Result>;
}

/** An operation that returns the records of a list. */
export function listOf(
	kind: RecordKind,
	path: string,
	extras: Extras = {},
): Requesting<JsonObject[]> {
	return {
		fields: [...locatorsOf(path), ...listFields(kind, extras.filters, ...(extras.options ?? []))],
		overlapping: true,
		run: (visit) => manyRecords(visit, visit.read.path(path), queryOf(visit.read, extras)),
	};
}

/** An operation that returns one record. */
export function oneOf(
	kind: RecordKind,
	path: string,
	extras: Omit<Extras, 'filters'> = {},
): Requesting<JsonObject> {
	return {
		fields: [...locatorsOf(path), ...recordFields(kind, ...(extras.options ?? []))],
		overlapping: true,
		run(visit) {
			const query = queryOf(visit.read, extras);
			return oneRecord(visit, { method: 'GET', path: visit.read.path(path), query });
		},
	};
}

function queryOf(read: Read, { options = [], query }: Extras): Query {
	return query ? query(read) : read.query(...options.map(({ name }) => name));
}

/** An operation that creates a record. Each attribute has its field, which must not be empty. */
export function creationOf(
	kind: RecordKind,
	path: string,
	asked: Readonly<Record<string, INodeProperties>>,
): Requesting<JsonObject> {
	return {
		fields: [...locatorsOf(path), ...Object.values(asked), ...recordFields(kind)],
		run(visit) {
			const given = Object.entries(asked).map(([attribute, { name }]) => [
				attribute,
				visit.read.needed(name),
			]);
			const body = document(kind, Object.fromEntries(given) as JsonObject);
			return oneRecord(visit, { method: 'POST', path: visit.read.path(path), body });
		},
	};
}

/** An operation that deletes the record that the path names. */
export function deletionOf(path: string): Requesting<JsonObject> {
	const fields = locatorsOf(path);
	return {
		fields,
		run({ api, read }) {
			const [id] = fields.map(({ name }) => read.id(name));
			return deletion(api, { path: read.path(path) }, { id: id ?? null });
		},
	};
}

/** A request body in JSON:API form. */
export function document(type: string, attributes: JsonObject, rest: JsonObject = {}): JsonObject {
	return { data: { type, ...rest, attributes } };
}

/** The record that the platform answers with, simplified when wanted. */
export async function oneRecord({ api, read }: Visit, request: ApiRequest): Promise<JsonObject> {
	// First, because an expression that fails must not do so after something was changed.
	const present = presenter(read);
	const answer = await api(request);
	return present(answer.body)(readRecord(request, answer));
}

/** As many records of a list as were asked for; with `isWanted`, which the platform knows nothing of, among all of them. */
export async function manyRecords(
	{ api, read, signal, hint }: Visit,
	path: string,
	query?: ApiRequest['query'],
	isWanted?: (record: JsonObject) => boolean,
): Promise<JsonObject[]> {
	const limit = read.limit();
	const present = presenter(read);
	const left = new Set<JsonObject>();
	let total: number | undefined;
	const onPage = (body: unknown) => {
		total = recordCount(body) ?? total;
		const show = present(body);
		return (record: JsonObject) => {
			if (isWanted?.(record) ?? true) return show(record);
			const kept = { id: record.id ?? null };
			left.add(kept);
			return kept;
		};
	};
	const list = { limit: isWanted ? undefined : limit, query, onPage };
	const records = await listRecords(api, path, list, signal);
	if (isWanted) return records.filter((record) => !left.has(record)).slice(0, limit);
	if (total !== undefined && total > records.length && records.length === limit) {
		hint(
			`Showing ${thousands(records.length)} of ${thousands(total)}. Turn on 'Return All' to get the rest.`,
		);
	}
	return records;
}

/** Deletes, and says what: the platform answers without a body. */
export async function deletion(
	api: Api,
	request: Pick<ApiRequest, 'path' | 'query' | 'body'>,
	what: JsonObject = {},
): Promise<JsonObject> {
	await api({ method: 'DELETE', ...request });
	return { deleted: true, ...what };
}

/** Shapes the records of an answer; what was asked for beside them comes in its `included`. */
function presenter(read: Read) {
	const shape = shapeOf(read);
	const asked = read.names('options.include');

	return (body: unknown) => {
		const related = new Related(isObject(body) ? body.included : undefined);
		return (record: JsonObject): JsonObject => {
			const columns = shape.simplified ? related.columnsOf(record) : {};
			const shown = asked.filter((name) => !(`${name}_name` in columns));
			const simple = shape.one(record, columns, shown);
			if (shown.length === 0) return simple;
			return { ...simple, included: related.of(record, shown).map(shape.other) };
		};
	};
}

function recordCount(body: unknown): number | undefined {
	const meta = isObject(body) && isObject(body.meta) ? body.meta : {};
	return typeof meta.record_count === 'number' ? meta.record_count : undefined;
}

/** How records leave: `one` is for what the operation returns, `other` for what comes along with it. */
export interface Shape {
	/** Else as sent. */
	simplified: boolean;
	/** `columns` are added to the record, `besides` are shown although few people use them. */
	one(
		this: void,
		record: JsonObject,
		columns?: JsonObject,
		besides?: readonly string[],
	): JsonObject;
	other(this: void, record: JsonObject): JsonObject;
}

/** Read before anything is sent, because an expression that fails must not do so after a change. */
export function shapeOf(read: Read): Shape {
	const asSent = (record: JsonObject) => record;
	if (!read.simplify()) return { simplified: false, one: asSent, other: asSent };
	const names = read.names('options.fields');
	const { zone } = read;
	return {
		simplified: true,
		one(record, columns = {}, besides) {
			const whole = fieldsOf(record);
			for (const [name, value] of Object.entries(columns)) whole.set(name, value);
			return withDates(pickFields(whole, names, besides), zone, whole.answers);
		},
		other: (record) => usualShape(fieldsOf(record), zone),
	};
}

/** Of a record whose fields cannot be chosen. */
export function usualShape(fields: Fields, zone: string): JsonObject {
	return withDates(pickFields(fields), zone, fields.answers);
}

/** Records that stand beside those of an answer (JSON:API `included`), found by those that refer to them. */
export class Related {
	private readonly included = new Map<string, JsonObject>();

	constructor(included: Json | undefined) {
		for (const record of Array.isArray(included) ? included.filter(isObject) : []) {
			const key = recordKey(record);
			if (key !== undefined) this.included.set(key, record);
		}
	}

	/** What the record refers to by these names. */
	of({ relationships }: JsonObject, names: readonly string[]): JsonObject[] {
		if (!isObject(relationships)) return [];
		return names
			.map((name) => relationships[name])
			.flatMap((relationship) => (isObject(relationship) ? relationship.data : []))
			.flatMap((reference) => (isObject(reference) ? (recordKey(reference) ?? []) : []))
			.map((key) => this.included.get(key))
			.filter((one) => one !== undefined);
	}

	/** What people know the related records by, as columns. */
	columnsOf(record: JsonObject): JsonObject {
		const columns: JsonObject = {};
		const event = this.included.get(`events ${text(attributesOf(record).event_id)}`);
		if (record.type === 'sessions' && event) {
			columns.event_title = attributesOf(event).title ?? null;
		}
		const related = isObject(record.relationships) ? Object.keys(record.relationships) : [];
		for (const role of record.type === 'questions' ? ['asker', 'responder'] : []) {
			if (!related.includes(role)) continue;
			const person = attributesOf(this.of(record, [role])[0] ?? {});
			const name = `${text(person.first_name)} ${text(person.last_name)}`.trim();
			columns[`${role}_name`] = name || null;
			columns[`${role}_email`] = text(person.email) || null;
		}
		return columns;
	}
}
