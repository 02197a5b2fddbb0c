import type { INodeProperties } from 'n8n-workflow';
import { readPages, type ListOptions } from '../core/client/pages';
import type { RecordKind } from '../core/records/columns';
import type { JsonObject } from '../core/values/json';
import type { ItemParameters, Query } from '../fields/itemParameters';
import { locatorsOf } from '../fields/locators';
import { listFields } from '../fields/recordFields';
import { hintsOfRest, isTool, limitFor, withTotal } from './incompleteList';
import type { ItemOperation } from './operation';
import { presentRecord, readOutputView } from './presentRecord';
import { chosenQuery, type OperationRequest } from './operationRequest';
import type { ItemContext } from './runContext';

interface ListRequest extends OperationRequest {
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
				// A list that is not simplified is shown whatever its shape is. Of person attributes the specification shows nothing at all.
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
