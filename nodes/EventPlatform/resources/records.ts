import type { INodeProperties } from 'n8n-workflow';
import type { Visit } from './operation';
import { withDates } from '../parameters/dates';
import { locatorsOf } from '../parameters/locators';
import type { Query, Read } from '../parameters/read';
import { listFields, pickFields, recordFields, type RecordKind } from '../parameters/recordFields';
import { thousands } from '../core/http/cost';
import { isObject, text, type JsonObject } from '../core/http/json';
import { attributesOf, includedIn, listRecords, readRecord, recordKey } from '../core/http/jsonApi';
import type { ApiRequest } from '../core/http/ports';
import { fieldsOf, fullName, type Fields } from '../core/records/simplify';

/*
 * Operations that send one request about records. Each names the kind of record, and a path in which
 * `{eventId}` stands for a locator, which is asked for first. A beginning in brackets is left out where
 * its locator, one among the filters or options, was not added.
 */

interface Asked {
	options?: INodeProperties[];
	/** Where it is not the filters and the options as they were chosen. */
	query?: (read: Read) => Query;
}

interface AskedOfList extends Asked {
	filters?: INodeProperties[];
	/** A filter that the platform does not have, as the query would name it. */
	own?: { filter: string; isMet(record: JsonObject, wanted: unknown, read: Read): boolean };
}

/** Returns as many records of a list as were asked for; with a filter of our own, out of the whole list. */
export function listOf(kind: RecordKind, path: string, asked: AskedOfList = {}) {
	const { filters, options = [] } = asked;
	return {
		fields: [...locatorsOf(path), ...listFields(kind, filters, ...options)],
		overlapping: true,
		async run({ api, read, signal, hint }: Visit) {
			const listed = read.path(path);
			const { [asked.own?.filter ?? '']: wanted, ...query } = queryOf(read, asked);
			const own = wanted === undefined ? undefined : asked.own;
			const limit = read.limit();
			const present = presenter(read);
			const left = new Set<JsonObject>();
			let total: number | undefined;
			const onPage = (body: unknown) => {
				const { record_count: count } = isObject(body) && isObject(body.meta) ? body.meta : {};
				if (typeof count === 'number') total = count;
				const show = present(body);
				return (record: JsonObject) => {
					if (own?.isMet(record, wanted, read) ?? true) return show(record);
					const kept = { id: record.id ?? null };
					left.add(kept);
					return kept;
				};
			};
			const list = { limit: own ? undefined : limit, query, onPage };
			const records = await listRecords(api, listed, list, signal);
			if (own) return records.filter((record) => !left.has(record)).slice(0, limit);
			if (total !== undefined && total > records.length && records.length === limit) {
				hint(
					`Showing ${thousands(records.length)} of ${thousands(total)}. Turn on 'Return All' to get the rest.`,
				);
			}
			return records;
		},
	};
}

export function oneOf(kind: RecordKind, path: string, asked: Asked = {}) {
	return {
		fields: [...locatorsOf(path), ...recordFields(kind, ...(asked.options ?? []))],
		overlapping: true,
		run(visit: Visit) {
			const { read } = visit;
			return oneRecord(visit, {
				method: 'GET',
				path: read.path(path),
				query: queryOf(read, asked),
			});
		},
	};
}

export function writingOf(
	method: 'POST' | 'PATCH',
	kind: RecordKind,
	path: string,
	asked: INodeProperties[],
	content: (visit: Visit) => JsonObject | Promise<JsonObject>,
) {
	return {
		fields: [...locatorsOf(path), ...asked, ...recordFields(kind)],
		async run(visit: Visit) {
			return await oneRecord(visit, {
				method,
				path: visit.read.path(path),
				body: { data: { type: kind, ...(await content(visit)) } },
				repeatable: method === 'PATCH',
			});
		},
	};
}

/** Creates a record. Each attribute has its field, which must not be empty. */
export function creationOf(
	kind: RecordKind,
	path: string,
	asked: Readonly<Record<string, INodeProperties>>,
) {
	return writingOf('POST', kind, path, Object.values(asked), ({ read }) => {
		const given = Object.entries(asked).map(([key, { name }]) => [key, read.needed(name)]);
		return { attributes: Object.fromEntries(given) as JsonObject };
	});
}

/** Deletes the record that the path names, and says what: its id, and these fields of it, which are read before. */
export function deletionOf(path: string, named?: { fields: string[]; query?: Query }) {
	const fields = locatorsOf(path);
	return {
		fields,
		async run({ api, read }: Visit) {
			const [id = ''] = fields.map(({ name }) => read.id(name));
			const request: ApiRequest = { method: 'DELETE', path: read.path(path) };
			const known: JsonObject = { deleted: true, id };
			if (named) {
				const get: ApiRequest = { ...request, method: 'GET', query: named.query };
				const answer = await api(get);
				const record = readRecord(get, answer);
				const columns = columnsOf(record, besideIn(answer.body));
				Object.assign(known, shape(withColumns(record, columns), read.zone, named.fields), { id });
			}
			await api(request);
			return known;
		},
	};
}

function queryOf(read: Read, { options = [], query }: Asked): Query {
	return query ? query(read) : read.query(...options.map(({ name }) => name));
}

async function oneRecord({ api, read }: Visit, request: ApiRequest): Promise<JsonObject> {
	const present = presenter(read);
	const answer = await api(request);
	return present(answer.body)(readRecord(request, answer));
}

/** Shapes the records of an answer. Reads the parameters at once: no expression may fail after something was changed. */
export function presenter(read: Read) {
	const { zone } = read;
	const asked = read.names('options.include');
	const isSimple = read.simplify();
	const names = isSimple ? read.names('options.fields') : [];
	return (body?: unknown) => {
		const others = besideIn(body);
		return (record: JsonObject): JsonObject => {
			const columns = isSimple ? columnsOf(record, others) : {};
			const beside = asked.filter((name) => !(`${name}_name` in columns));
			const shown = isSimple ? shape(withColumns(record, columns), zone, names, beside) : record;
			if (beside.length === 0) return shown;
			const found = related(record, beside, others);
			const included = isSimple ? found.map((one) => shape(fieldsOf(one), zone)) : found;
			return { ...shown, included };
		};
	};
}

/** A simplified record as it leaves: these fields, else the usual ones and `besides`. */
export function shape(record: Fields, zone: string, names?: string[], besides?: string[]) {
	return withDates(pickFields(record, names, besides), zone, record.answers);
}

function withColumns(record: JsonObject, columns: JsonObject): Fields {
	const whole = fieldsOf(record);
	for (const [name, value] of Object.entries(columns)) whole.set(name, value);
	return whole;
}

/** Records that stand beside those of an answer (JSON:API `included`), by their keys. */
type Beside = ReadonlyMap<string | undefined, JsonObject>;

function besideIn(body: unknown): Beside {
	return new Map(includedIn(body).map((record) => [recordKey(record), record]));
}

function related({ relationships }: JsonObject, names: readonly string[], others: Beside) {
	const named = isObject(relationships) ? names.map((name) => relationships[name]) : [];
	const references = named.filter(isObject).flatMap(({ data = [] }) => data);
	const keys = references.filter(isObject).map((one) => recordKey(one) ?? '');
	return keys.map((key) => others.get(key)).filter((one) => one !== undefined);
}

/** What people know the related records by, as columns. */
function columnsOf(record: JsonObject, others: Beside): JsonObject {
	const { type, relationships } = record;
	const event = others.get(`events ${text(attributesOf(record).event_id)}`);
	if (type === 'sessions' && event) return { event_title: attributesOf(event).title ?? null };
	if (type !== 'questions' || !isObject(relationships)) return {};
	const columns: JsonObject = {};
	for (const role of ['asker', 'responder'].filter((one) => one in relationships)) {
		const person = attributesOf(related(record, [role], others)[0] ?? {});
		columns[`${role}_name`] = fullName(person) || null;
		columns[`${role}_email`] = text(person.email) || null;
	}
	return columns;
}
