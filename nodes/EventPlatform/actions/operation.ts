import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { About } from '../core/failures/messages';
import type { ItemParameters } from '../fields/itemParameters';
import { queryOf } from '../fields/requestParts';
import type { Query } from '../core/client/request';
import type { JsonObject } from '../core/values/json';
import type { ItemContext, RunContext } from './runContext';

interface MenuOperation {
	/** What the operation does, as n8n's search lists it: "Get many sessions". */
	action: string;
	description: string;
	fields: INodeProperties[];
}

export class WithFile {
	constructor(
		readonly json: JsonObject,
		/** The file under the name of its binary field. */
		readonly binary: INodeExecutionData['binary'],
	) {}
}

/** An operation that runs for each item by itself; the router loops, pairs and deals with failures. */
export interface ItemOperation extends MenuOperation {
	/** The order of the items makes no difference on the platform, so that they may be under way at once. */
	mayOverlap?: boolean;
	/** Names what its failures are about, where that is more than the records that its fields name. */
	about?(parameters: ItemParameters): About;
	run(item: ItemContext): JsonObject | Promise<JsonObject | JsonObject[] | WithFile>;
	/** Makes one output of all items, each paired to it; undefined where people have not chosen that. */
	runTogether?(run: RunContext): Promise<INodeExecutionData[] | undefined>;
}

/** An operation that takes all items at once. */
export interface AllItemsOperation extends MenuOperation {
	/** Each item of the output is paired to those that it comes from. */
	runAll(run: RunContext): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | AllItemsOperation;

export interface Resource {
	description: string;
	/** The family of scopes (section 5.3) that its requests need, if not `events`. */
	scope?: string;
	/** The operations by the names that workflows save, which never change; in the order of the menu. */
	operations: Readonly<Record<string, Operation>>;
	/** The operation of a new node, if not `getAll`. Saved workflows do not name it, so it never changes. */
	initial?: string;
}

/*
 * The operations about records have these types in common: listOperation.ts reads lists, recordOperation.ts sends one request about a
 * record, and deletion.ts deletes one. Each names a path in which `{eventId}` stands for a locator, which is asked for first.
 */

export type MenuTexts = Pick<ItemOperation, 'action' | 'description'>;

export interface OperationRequest extends MenuTexts {
	/** The options that are sent, each under its name. */
	options?: INodeProperties[];
	/** Makes the query where it differs from the filters and the options that people chose. */
	query?: (parameters: ItemParameters) => Query;
	/** Simplified records need these parameters as well. Some platforms refuse them, and are asked again without them. */
	addedQuery?: (parameters: ItemParameters) => Query | undefined;
}

export function chosenQuery(
	parameters: ItemParameters,
	{ options = [], query }: OperationRequest,
): Query {
	return query
		? query(parameters)
		: queryOf(
				parameters,
				options.map(({ name }) => name),
			);
}
