import type { Fault } from '../../../sandbox/faults/faults';
import type { TestSandbox } from '../../support/platform/sandbox';
import { unknownId } from '../../support/platform/seededIds';

/** What the expressions of an operation read. */
export type Item = Record<string, string | number | boolean | undefined>;

/** What a row says of an item: the same of each, or what follows from the item. */
type OfItem<Said> = Said | ((item: Item) => Said);

/** One operation, run over three items of which the second fails for a reason of its own. */
export interface OperationCase {
	/** Expressions read the item. */
	parameters?: object;
	/** Makes what the items refer to. */
	items(sandbox: TestSandbox): Item[] | Promise<Item[]>;
	/** Where nothing in the item can fail, the platform does. */
	faults?: Fault[];
	/** The title of the error. */
	fails: RegExp;
	/** The requests that a good item sends, as "METHOD /path?query" below /v1. */
	sends: OfItem<string[]>;
	/** The requests that the bad item sends before it fails; absent: the same. */
	sendsInVain?: OfItem<string[]>;
	/** The body that a good item sends with its last request. */
	body?: OfItem<object>;
	/** The record that a good item leaves must contain this. */
	gives: OfItem<object>;
}

export function saidOf<Said extends object>(said: OfItem<Said>, item: Item = {}): Said {
	return typeof said === 'function' ? said(item) : said;
}

type Make = (sandbox: TestSandbox) => Promise<string>;

/** Items with the IDs of two records, and between them one that is wrong. */
const around = (make: Make, wrong: string) => async (sandbox: TestSandbox) => [
	{ id: await make(sandbox) },
	{ id: wrong },
	{ id: await make(sandbox) },
];

/** The second one names nothing, or what cannot be an ID. */
export const aroundNone = (make: Make, what: string) => ({
	items: around(make, unknownId),
	fails: cannotFind(what),
});

export const aroundWrong = (make: Make, wrong: string, fails: RegExp) => ({
	items: around(make, wrong),
	fails,
	sendsInVain: [],
});

export const cannotFind = (what: string) =>
	new RegExp(`^The platform cannot find the ${what} \\(404\\)$`);

export const firstPage = (size: Item[string] = 50) => `page[number]=0&page[size]=${size}`;

/** Gives the body that is sent of a record. */
export const bodyOf = (type: string, attributes: object, more: object = {}) => ({
	data: { type, attributes, ...more },
});
