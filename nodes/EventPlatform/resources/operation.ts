import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Read } from '../parameters/read';
import type { Connection } from '../n8n/connect';
import type { Download } from '../n8n/download';
import type { About } from '../core/failures/causes';
import type { JsonObject } from '../core/http/ports';

interface Described {
	/** Saved in workflows: never changes. */
	value: string;
	/** Where it is not its value in words. */
	name?: string;
	action: string;
	description: string;
	/**
	 * All its requests may take what the credential reserves for registrations: it registers people, needs
	 * what such a run left open, or tells how many requests are left.
	 */
	usesReserve?: boolean;
	fields: INodeProperties[];
}

interface Tools extends Connection {
	/** Gets a file into n8n's store of binary data. */
	download: Download;
	/** Tells people something about the run, beside its output. Said several times, it is shown once. */
	hint(message: string): void;
}

/** What an operation may use for one item. */
export interface Visit extends Tools {
	read: Read;
}

/** A record that comes with a file. */
export class WithFile {
	constructor(
		readonly json: JsonObject,
		readonly binary: IBinaryKeyData,
	) {}
}

type Result = JsonObject | JsonObject[] | WithFile;

/** Runs for each item by itself; the router loops, pairs and deals with failures. */
export interface ItemOperation extends Described {
	/** Items may overlap, because their order makes no difference on the platform. */
	overlapping?: boolean;
	/** What its failures are about, beside the records that its fields name. */
	about?(read: Read): About;
	run(visit: Visit): Result | Promise<Result>;
}

/** What an operation over all items may use. */
export interface Run extends Tools {
	context: IExecuteFunctions;
	/** Reads the parameters as they are for one item. */
	read(itemIndex: number): Read;
}

/** Takes all items at once and answers with the node's output, paired. */
export interface AllItemsOperation extends Described {
	runAll(run: Run): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | AllItemsOperation;

export interface Resource {
	/** Saved in workflows: never changes. */
	value: string;
	name: string;
	description: string;
	/** The family of scopes (section 5.3) that its requests need; `events` where it is not given. */
	scope?: string;
	/** In the order of the menu. */
	operations: Operation[];
	/** The operation that a new node has. Saved workflows do not name it, so it never changes. */
	initial: Operation;
}
