import { pathToRecords } from '../fields/requestParts';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { thousands } from '../core/values/text';
import { readPages, type ListOptions } from '../core/client/pages';
import type { RecordKind } from '../core/records/recordKinds';
import type { JsonObject } from '../core/values/json';
import type { ItemParameters } from '../fields/itemParameters';
import type { Query } from '../core/client/request';
import { locatorsOf } from '../fields/locators';
import { listFields, mostForTool } from '../fields/recordFields';
import { chosenQuery, type ItemOperation, type OperationRequest } from './operation';
import { presentRecord, readOutputView } from './presentRecord';
import type { ItemContext } from './runContext';

/** The request of a list, and what is done with its records. */
interface ListRequest extends OperationRequest {
	filters?: INodeProperties[];
	/** The options that say what the output has, and are not sent. */
	outputOptions?: INodeProperties[];
	/** Takes a filter that the platform does not have out of the query; undefined where it was not chosen. */
	ownFilter?: (query: Query, parameters: ItemParameters) => OwnFilter | undefined;
	/** Undefined where there is nothing to tell of the records of a query. */
	remarks?: (query: Query) => Remarks | undefined;
}

/** Remarks about the records of a list, which people read beside the output. */
export interface Remarks {
	remarkOf(this: void, record: JsonObject): string;
	/** Puts the remarks about all records of the run into sentences. */
	describe(this: void, remarks: readonly string[]): string[];
}

/** A filter of the node's own, which the records pass after they were read. */
export interface OwnFilter {
	/** The query without the filter. */
	query: Query;
	passes(this: void, record: JsonObject): boolean;
}

/** An operation whose output is a list of records. */
export interface ListOperation extends ItemOperation {
	run(item: ItemContext): Promise<JsonObject[]>;
}

/** The people and sessions of one event have the fields of the other lists, where the AI that builds workflows reads the names. */
const isPartOfEvent = (path: string) => path.startsWith('/events/{eventId}/');

/** Makes the operation that returns as many records of a list as people want. */
export function listOf(kind: RecordKind, path: string, listRequest: ListRequest): ListOperation {
	const { action, description, filters, options = [], outputOptions = [] } = listRequest;
	return {
		action,
		description,
		mayOverlap: true,
		fields: [
			...locatorsOf(path),
			...listFields(kind, filters, [...options, ...outputOptions], !isPartOfEvent(path)),
		],
		run: (item) => readList(path, listRequest, item),
	};
}

/** With a filter of the node's own it reads the whole list. */
async function readList(
	path: string,
	listRequest: ListRequest,
	{ client, n8n, parameters, notes, signal }: ItemContext,
): Promise<JsonObject[]> {
	const pathOfList = pathToRecords(parameters, path);
	const enteredQuery = chosenQuery(parameters, listRequest);
	const ownFilter = listRequest.ownFilter?.(enteredQuery, parameters);
	const query = ownFilter?.query ?? enteredQuery;
	const limit = limitFor(n8n, parameters.limit());
	const view = readOutputView(parameters);
	const remarks = listRequest.remarks?.(query);
	const listOptions: ListOptions = {
		query,
		addedQuery: listRequest.addedQuery?.(parameters),
		limit: ownFilter ? undefined : limit,
		signal,
	};
	const records: JsonObject[] = [];
	let total = 0;
	for await (const page of readPages(client.send, pathOfList, listOptions)) {
		const passing = ownFilter ? page.records.filter(ownFilter.passes) : page.records;
		total = ownFilter ? total + passing.length : (page.recordCount ?? total);
		const room = (limit ?? Infinity) - records.length;
		for (const record of passing.slice(0, room)) {
			const presented = presentRecord(record, view, page.included);
			notes.fields.record(presented, view);
			records.push(presented.output);
			if (remarks) notes.note(remarks.describe, [remarks.remarkOf(record)]);
		}
	}
	if (isTool(n8n)) return withTotal(records, total);
	if (records.length === limit) {
		for (const hint of hintsOfRest(limit, total)) notes.hint(hint);
	}
	return records;
}

/** Where n8n does not say that an agent runs the node as its tool, it gives the node a type of its own. */
export function isTool(context: IExecuteFunctions): boolean {
	const isToolRun = 'isToolExecution' in context && context.isToolExecution();
	return isToolRun || context.getNode().type.endsWith('Tool');
}

/** An undefined limit means all records, which an agent never gets. */
export function limitFor(
	context: IExecuteFunctions,
	limit: number | undefined,
): number | undefined {
	return isTool(context) ? Math.min(limit ?? mostForTool, mostForTool) : limit;
}

export function hintsOfRest(limit: number, total: number): string[] {
	if (total <= limit) return [];
	const shownOfTotal = `${thousands(limit)} of ${thousands(total)}`;
	return [`Showing ${shownOfTotal}. Turn on 'Return All' to get the rest.`];
}

/**
 * Makes a list complete for an agent. An agent sees the items alone and no hints, so one more item says how many records
 * there are where it does not have all of them.
 */
export function withTotal(
	records: JsonObject[],
	total: number,
	advice = 'narrow the list with a filter',
): JsonObject[] {
	if (total <= records.length) return records;
	const shown = records.length;
	const note = `These are ${shown} of ${thousands(total)} records. There is no next page: ${advice}.`;
	return [...records, { shown, total, note }];
}
