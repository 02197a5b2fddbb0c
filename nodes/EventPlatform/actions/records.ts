import type { INodeProperties } from 'n8n-workflow';
import type { ItemOperation } from './operation';
import type { ItemContext } from './runContext';
import { isTool, limitFor, withTotal } from './toolLists';
import { withDates } from '../fields/dates';
import { locatorsOf } from '../fields/locators';
import type { Query, ItemParameters } from '../fields/itemParameters';
import { listFields, pickFields, recordFields, type RecordKind } from '../fields/recordFields';
import { thousands } from '../core/client/usage';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { attributesOf, includedIn, readRecord, recordKey } from '../core/client/document';
import { listRecords } from '../core/client/pages';
import { readAnyPage, readPage } from '../core/client/page';
import type { ApiRequest } from '../core/client/request';
import { joinLinkColumn, joinLinkOf } from '../core/records/joinLink';
import { fieldsOf, fullName, type Fields } from '../core/records/simplify';

/*
 * Operations that send one request about records. Each names the kind of record, and a path in which
 * `{eventId}` stands for a locator, which is asked for first. A beginning in brackets is left out where
 * its locator, one among the filters or options, was not added.
 */

type Shown = Pick<ItemOperation, 'action' | 'description'>;

interface Asked extends Shown {
	options?: INodeProperties[];
	/** Where it is not the filters and the options as they were chosen. */
	query?: (parameters: ItemParameters) => Query;
	/** Gives the parameters that simplified records need besides. Some platforms refuse them, and are asked again without them. */
	unasked?: (parameters: ItemParameters) => Query;
}

interface AskedOfList extends Asked {
	filters?: INodeProperties[];
	/** A filter that the platform does not have, as the query would name it. */
	own?: {
		filter: string;
		isMet(record: JsonObject, wanted: unknown, parameters: ItemParameters): boolean;
	};
}

interface AskedOfRecord extends Asked {
	fields?: INodeProperties[];
	/** Gives the part of the record that is sent. */
	content?: (item: ItemContext) => JsonObject | Promise<JsonObject>;
}

/** An operation whose output is one record. */
export interface RecordOperation extends ItemOperation {
	run(item: ItemContext): Promise<JsonObject>;
}

/** An operation whose output is a list of records. */
export interface ListOperation extends ItemOperation {
	run(item: ItemContext): Promise<JsonObject[]>;
}

/** Returns as many records of a list as were asked for; with a filter of our own, out of the whole list. */
export function listOf(kind: RecordKind, path: string, asked: AskedOfList): ListOperation {
	const { action, description, filters, options = [] } = asked;
	return {
		action,
		description,
		overlapping: true,
		fields: [...locatorsOf(path), ...listFields(kind, filters, ...options)],
		async run({ api, n8n, parameters, notes, signal }: ItemContext) {
			const listed = parameters.path(path);
			const { [asked.own?.filter ?? '']: wanted, ...chosen } = chosenQuery(parameters, asked);
			const own = wanted === undefined ? undefined : asked.own;
			const limit = limitFor(n8n, parameters.limit());
			const present = presenter({ parameters, notes });
			const met = new Set<JsonObject>();
			let total = 0;
			const onPage = (body: unknown) => {
				const { record_count: count } = isObject(body) && isObject(body.meta) ? body.meta : {};
				if (typeof count === 'number') total = count;
				const others = besideIn(body);
				return (record: JsonObject) => {
					const isMet = !own || own.isMet(record, wanted, parameters);
					const shown = isMet ? present(record, others) : { id: record.id ?? null };
					if (isMet) met.add(shown);
					return shown;
				};
			};
			const queries = withUnasked(chosen, asked.unasked?.(parameters));
			// As sent, whatever was sent is shown. Of person attributes the specification shows nothing at all.
			const isAny = !parameters.simplify() || kind === 'people_attributes';
			const readAs = isAny ? readAnyPage : readPage;
			const list = { limit: own ? undefined : limit, ...queries, readAs, signal, onPage };
			const all = await listRecords(api, listed, list);
			const records = all.filter((record) => met.has(record)).slice(0, limit);
			if (isTool(n8n)) return withTotal(records, own ? met.size : total);
			if (!own && total > records.length && records.length === limit) {
				const some = `${thousands(records.length)} of ${thousands(total)}`;
				notes.hint(`Showing ${some}. Turn on 'Return All' to get the rest.`);
			}
			return records;
		},
	};
}

/** Sends one request, and returns the record of its answer. */
export function recordOf(
	method: 'GET' | 'POST' | 'PATCH',
	kind: RecordKind,
	path: string,
	asked: AskedOfRecord,
): RecordOperation {
	const { action, description, fields = [], options = [], content } = asked;
	return {
		action,
		description,
		overlapping: method === 'GET',
		fields: [...locatorsOf(path), ...fields, ...recordFields(kind, ...options)],
		async run(item: ItemContext) {
			const { api, parameters } = item;
			const request: ApiRequest = {
				method,
				path: parameters.path(path),
				...withUnasked(chosenQuery(parameters, asked), asked.unasked?.(parameters)),
				body: content && { data: { type: kind, ...(await content(item)) } },
				retry: method === 'PATCH' ? 'safe' : undefined,
			};
			const present = presenter(item);
			const answer = await api(request);
			return present(readRecord(request, answer), besideIn(answer.body));
		},
	};
}

/** Deletes the record that the path names, and says what: its id, and the named fields of it, which are read before. */
export function deletionOf(
	path: string,
	{ named, ...shown }: Shown & { named?: { fields: string[]; unasked?: Query } },
): RecordOperation {
	const fields = locatorsOf(path);
	return {
		...shown,
		fields,
		async run({ api, parameters }: ItemContext) {
			const [id = ''] = fields.map(({ name }) => parameters.id(name));
			const request: ApiRequest = { method: 'DELETE', path: parameters.path(path) };
			let known: JsonObject = {};
			if (named) {
				const get: ApiRequest = { ...request, method: 'GET', ...withUnasked({}, named.unasked) };
				const answer = await api(get);
				const fields = fieldsBeside(besideIn(answer.body), readRecord(get, answer));
				known = shape(fields, parameters.zone, named.fields);
			}
			await api(request);
			return { deleted: true, ...known, id };
		},
	};
}

function chosenQuery(parameters: ItemParameters, { options = [], query }: Asked): Query {
	return query ? query(parameters) : parameters.query(...options.map(({ name }) => name));
}

type Queries = Pick<ApiRequest, 'query' | 'fallbackQuery'>;

/** The query with what nobody asked for, and the one without it for platforms that refuse that. */
function withUnasked(query: Query, unasked: Query = {}): Queries {
	if (Object.keys(unasked).length === 0) return { query };
	return { query: { ...query, ...unasked }, fallbackQuery: query };
}

/** People around a question, whose names and addresses simplified questions have as columns. */
const roles = ['asker', 'responder'];

/** Shapes one record for the output; `others` are the records that came with it. */
export type PresentRecord = (record: JsonObject, others?: Beside) => JsonObject;

/** Shapes the records of an answer. Reads the parameters at once: no expression may fail after something was changed. */
export function presenter({
	parameters,
	notes,
}: Pick<ItemContext, 'parameters' | 'notes'>): PresentRecord {
	const { zone } = parameters;
	const isSimple = parameters.simplify();
	const names = isSimple ? parameters.names('options.fields') : [];
	const includesJoinLink = parameters.option('includeJoinLink');
	const asked = parameters.names('options.include');
	const beside = isSimple ? asked.filter((name) => !roles.includes(name)) : asked;
	const simplified = (record: JsonObject, others: Beside) => {
		const fields = fieldsBeside(others, record);
		notes.fields.look(fields, names);
		return shape(fields, zone, names, beside);
	};
	return (record: JsonObject, others: Beside = new Map()): JsonObject => {
		const whole = isSimple ? simplified(record, others) : record;
		const shown = includesJoinLink ? { ...whole, [joinLinkColumn]: joinLinkOf(record) } : whole;
		if (beside.length === 0) return shown;
		const found = related(record, beside, others);
		const included = isSimple ? found.map((one) => shape(fieldsOf(one), zone)) : found;
		return { ...shown, included };
	};
}

/** With columns for what people know the related records by. */
function fieldsBeside(others: Beside, record: JsonObject): Fields {
	const fields = fieldsOf(record);
	const event = others.get(`events ${text(fields.get('event_id'))}`);
	if (event) fields.set('event_title', attributesOf(event).title ?? null);
	const [organization] = related(record, ['organization'], others);
	if (organization) {
		fields.set('organization_id', organization.id ?? null);
		fields.set('organization_name', attributesOf(organization).name ?? null);
	}
	const { relationships = {} } = record;
	for (const role of roles.filter((one) => isObject(relationships) && one in relationships)) {
		const person = attributesOf(related(record, [role], others)[0] ?? {});
		fields.set(`${role}_name`, fullName(person) || null);
		fields.set(`${role}_email`, text(person.email) || null);
	}
	return fields;
}

/** A simplified record as it leaves: these fields, else the usual ones and `besides`. */
export function shape(
	record: Fields,
	zone: string,
	names?: string[],
	besides?: string[],
): JsonObject {
	return withDates(pickFields(record, names, besides), zone, record.answers);
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
