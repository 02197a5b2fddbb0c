import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../sandbox/faults/faults';
import type { TestSandbox } from '../../support/sandbox';

/** One operation, run over three items of which the second fails for a reason of its own. */
export interface OperationCase {
	/** Expressions read the item. */
	parameters?: INodeParameters;
	/** Makes what the items refer to. */
	items(sandbox: TestSandbox): IDataObject[] | Promise<IDataObject[]>;
	/** Where nothing in the item can fail, the platform does. */
	faults?: Fault[];
	/** The title of the error. */
	fails: RegExp;
	/** What its description says besides. */
	because?: RegExp;
	/** What a good item sends, as "METHOD /path?query" below /v1. */
	sends(item: IDataObject): string[];
	/** What the bad item sends before it fails. */
	sendsInVain?(item: IDataObject): string[];
	/** The body that a good item sends with its last request. */
	body?(item: IDataObject): unknown;
	/** What a good item leaves: each record must contain this. */
	gives(item: IDataObject): IDataObject[];
}

export function byId(value = '={{ $json.id }}') {
	return { __rl: true, mode: 'id', value };
}

/** Nothing on the platform has it. */
export const noSuchId = '00000000-0000-4000-8000-00000000dead';

/** Items with the IDs of two records, and between them one that is wrong. */
export const aroundNone =
	(make: (sandbox: TestSandbox) => Promise<string>, wrong = noSuchId) =>
	async (sandbox: TestSandbox) => [
		{ id: await make(sandbox) },
		{ id: wrong },
		{ id: await make(sandbox) },
	];

export const cannotFind = (what: string) =>
	new RegExp(`^The platform cannot find the ${what} \\(404\\)$`);

export const firstPage = (size = 50) => `page[number]=0&page[size]=${size}`;
