import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Read } from '../parameters/read';
import type { Connection } from '../n8n/connect';
import type { About } from '../core/failures/causes';
import type { JsonObject } from '../core/http/ports';

interface Described {
	action: string;
	description: string;
	/**
	 * All its requests may take what the credential reserves for registrations: it registers people, needs
	 * what such a run left open, or tells how many requests are left.
	 */
	usesReserve?: boolean;
	fields: INodeProperties[];
}

/** What an operation may use for one item. */
export interface Visit extends Connection {
	context: IExecuteFunctions;
	/** Tells people something about the run, beside its output. Said several times, it is shown once. */
	hint(message: string): void;
	read: Read;
}

/** What an operation over all items may use: it reads the parameters of each. */
export type Run = Omit<Visit, 'read'> & { read(itemIndex: number): Read };

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

/** Takes all items at once and answers with the node's output, paired. */
export interface AllItemsOperation extends Described {
	runAll(run: Run): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | AllItemsOperation;

export interface Resource {
	description: string;
	/** The family of scopes (section 5.3) that its requests need; `events` where it is not given. */
	scope?: string;
	/** By the names that workflows save, which never change; in the order of the menu. */
	operations: Readonly<Record<string, Operation>>;
	/** The operation that a new node has, else `getAll`. Saved workflows do not name it, so it never changes. */
	initial?: string;
}
