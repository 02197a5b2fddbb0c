import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { About } from '../core/failures/messages';
import type { ItemParameters } from '../fields/itemParameters';
import type { JsonObject } from '../core/values/json';
import type { ItemContext, RunContext } from './runContext';

interface Described {
	action: string;
	description: string;
	/** Takes of what is reserved for registrations: it registers, needs what that left open, or tells what is left. */
	usesReserve?: boolean;
	fields: INodeProperties[];
}

export class WithFile {
	constructor(
		readonly json: JsonObject,
		readonly binary: INodeExecutionData['binary'],
	) {}
}

/** Runs for each item by itself; the router loops, pairs and deals with failures. */
export interface ItemOperation extends Described {
	/** Items may overlap, because their order makes no difference on the platform. */
	overlapping?: boolean;
	/** Names the things that its failures are about, beside the records that its fields name. */
	about?(parameters: ItemParameters): About;
	run(item: ItemContext): JsonObject | Promise<JsonObject | JsonObject[] | WithFile>;
}

/** Takes all items at once and answers with the node's output, paired. */
export interface AllItemsOperation extends Described {
	runAll(run: RunContext): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | AllItemsOperation;

export interface Resource {
	description: string;
	/** The family of scopes (section 5.3) that its requests need, if not `events`. */
	scope?: string;
	/** By the names that workflows save, which never change; in the order of the menu. */
	operations: Readonly<Record<string, Operation>>;
	/** The operation of a new node, if not `getAll`. Saved workflows do not name it, so it never changes. */
	initial?: string;
}
