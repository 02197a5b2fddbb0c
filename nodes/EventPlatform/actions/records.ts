import type { INodeProperties } from 'n8n-workflow';
import type { ItemOperation } from './operation';
import type { ItemContext } from './runContext';
import { hintsOfRest, isTool, limitFor, withTotal } from './incompleteList';
import { locatorsOf } from '../fields/locators';
import type { Query, ItemParameters } from '../fields/itemParameters';
import { listFields, recordFields } from '../fields/recordFields';
import { type RecordKind } from '../core/records/columns';
import { type JsonObject } from '../core/values/json';
import { readAnyRecord, readRecord, recordsBeside } from '../core/client/document';
import { readPages, type ListOptions } from '../core/client/pages';
import type { ApiRequest } from '../core/client/request';
import { viewRecord } from '../core/records/recordView';
import { fieldsBeside, presentRecord, readOutputView } from './presentRecord';

/*
 * Operations that send one request about records. Each names the kind of record, and a path in which
 * `{eventId}` stands for a locator, which is asked for first. A beginning in brackets is left out where
 * its locator, one among the filters or options, was not added.
 */

type MenuTexts = Pick<ItemOperation, 'action' | 'description'>;

interface RecordsRequest extends MenuTexts {
	/** The options that are sent, each under its name. */
	options?: INodeProperties[];
	/** Where it is not the filters and the options as they were chosen. */
	query?: (parameters: ItemParameters) => Query;
	/** Gives the parameters that simplified records need besides. Some platforms refuse them, and are asked again without them. */
	addedQuery?: (parameters: ItemParameters) => Query | undefined;
}

interface ListRequest extends RecordsRequest {
	filters?: INodeProperties[];
	/** The options that say what the output has, and are not sent. */
	outputOptions?: INodeProperties[];
	/** Takes a filter that the platform does not have out of the query; undefined where it was not chosen. */
	ownFilter?: (query: Query, parameters: ItemParameters) => OwnFilter | undefined;
	/** Says what is remarked of the records of the output; undefined for a query of which there is nothing to tell. */
	remarks?: (query: Query) => Remarks | undefined;
}

/** The words about the records of a list that people read beside the output. */
export interface Remarks {
	/** Gives the word that is remarked of a record. */
	remarkOf(this: void, record: JsonObject): string;
	/** Puts the words of all records of the run into sentences. */
	describe(this: void, remarks: readonly string[]): string[];
}

/** A record of the output, and what is remarked of it. */
interface ListedRecord {
	output: JsonObject;
	remark?: string;
}

/** A filter of the node's own, which the records pass after they were read. */
export interface OwnFilter {
	/** The query without the filter. */
	query: Query;
	/** Whether a record meets the conditions that the query cannot express. */
	passes(this: void, record: JsonObject): boolean;
}

interface RecordRequest extends RecordsRequest {
	fields?: INodeProperties[];
	/** Gives the part of the record that is sent. */
	content?: (item: ItemContext) => JsonObject | Promise<JsonObject>;
}

/** An operation whose output is one record. */
export interface RecordOperation extends ItemOperation {
	/** Gives the record for one input item. */
	run(item: ItemContext): Promise<JsonObject>;
}

/** An operation whose output is a list of records. */
export interface ListOperation extends ItemOperation {
	/** Gives the records for one input item, which become an item each. */
	run(item: ItemContext): Promise<JsonObject[]>;
}

/** Returns as many records of a list as were asked for; with a filter of our own, out of the whole list. */
export function listOf(kind: RecordKind, path: string, asked: ListRequest): ListOperation {
	const { action, description, filters, options = [], outputOptions = [] } = asked;
	return {
		action,
		description,
		mayOverlap: true,
		fields: [...locatorsOf(path), ...listFields(kind, filters, ...options, ...outputOptions)],
		async run({ api, n8n, parameters, notes, signal }: ItemContext) {
			const listed = parameters.path(path);
			const chosen = chosenQuery(parameters, asked);
			const ownFilter = asked.ownFilter?.(chosen, parameters);
			const query = ownFilter?.query ?? chosen;
			const limit = limitFor(n8n, parameters.limit());
			const view = readOutputView(parameters);
			const remarks = asked.remarks?.(query);
			const listOptions: ListOptions = {
				query,
				addedQuery: asked.addedQuery?.(parameters),
				limit: ownFilter ? undefined : limit,
				// As sent, whatever was sent is shown. Of person attributes the specification shows nothing at all.
				takesAnyShape: !parameters.simplify() || kind === 'people_attributes',
				signal,
			};
			const passed: ListedRecord[] = [];
			let recordCount = 0;
			for await (const page of readPages(api, listed, listOptions)) {
				recordCount = page.recordCount ?? recordCount;
				for (const record of page.records) {
					if (ownFilter && !ownFilter.passes(record)) continue;
					const presented = presentRecord(record, view, page.beside);
					notes.fields.record(presented, view);
					const { output } = presented;
					passed.push({ output, remark: remarks?.remarkOf(record) });
				}
			}
			const total = ownFilter ? passed.length : recordCount;
			const first = passed.slice(0, limit);
			const records = first.map(({ output }) => output);
			if (remarks) notes.note(remarks.describe, ...first.flatMap(({ remark }) => remark ?? []));
			if (isTool(n8n)) return withTotal(records, total);
			if (!ownFilter && records.length === limit) notes.hint(...hintsOfRest(limit, total));
			return records;
		},
	};
}

/** Sends one request, and returns the record of its answer. */
export function recordOf(
	method: 'GET' | 'POST' | 'PATCH',
	kind: RecordKind,
	path: string,
	asked: RecordRequest,
): RecordOperation {
	const { action, description, fields = [], options = [], content } = asked;
	return {
		action,
		description,
		mayOverlap: method === 'GET',
		fields: [...locatorsOf(path), ...fields, ...recordFields(kind, ...options)],
		async run(item: ItemContext) {
			const { api, parameters, notes } = item;
			const request: ApiRequest = {
				method,
				path: parameters.path(path),
				query: chosenQuery(parameters, asked),
				addedQuery: asked.addedQuery?.(parameters),
				body: content && { data: { type: kind, ...(await content(item)) } },
				retry: method === 'PATCH' ? 'safe' : undefined,
			};
			const view = readOutputView(parameters);
			// As sent, whatever was sent is shown.
			const readAs = parameters.simplify() ? readRecord : readAnyRecord;
			const answer = await api(request);
			const presented = presentRecord(readAs(request, answer), view, recordsBeside(answer.body));
			notes.fields.record(presented, view);
			return presented.output;
		},
	};
}

/** Deletes the record that the path names, and says what: its id, and the named fields of it, which are read before. */
export function deletionOf(
	path: string,
	{ named, ...texts }: MenuTexts & { named?: { fields: string[]; addedQuery?: Query } },
): RecordOperation {
	const fields = locatorsOf(path);
	return {
		...texts,
		fields,
		async run({ api, parameters }: ItemContext) {
			const [id = ''] = fields.map(({ name }) => parameters.id(name));
			const request: ApiRequest = { method: 'DELETE', path: parameters.path(path) };
			let names: JsonObject = {};
			if (named) {
				const get: ApiRequest = { ...request, method: 'GET', addedQuery: named.addedQuery };
				const answer = await api(get);
				const whole = fieldsBeside(recordsBeside(answer.body), readRecord(get, answer));
				names = viewRecord(whole, { columns: named.fields, zone: parameters.zone });
			}
			await api(request);
			return { deleted: true, ...names, id };
		},
	};
}

function chosenQuery(parameters: ItemParameters, { options = [], query }: RecordsRequest): Query {
	return query ? query(parameters) : parameters.query(...options.map(({ name }) => name));
}
