import type { IDataObject } from 'n8n-workflow';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import type { Fault } from '../../../sandbox/faults/faults';
import type { TestSandbox } from '../../support/platform/sandbox';
import { unknownId } from '../../support/platform/seededIds';

/**
 * One operation, run over three items of which the second fails for a reason of its own. In what is sent and given, `{id}` stands
 * for what the item has by that name.
 */
export interface OperationCase {
	/** Expressions read the item. */
	parameters?: object;
	/** Makes what the items refer to. */
	items(sandbox: TestSandbox): IDataObject[] | Promise<IDataObject[]>;
	/** Where nothing in the item can fail, the platform does. */
	faults?: Fault[];
	/** The title of the error. */
	fails: RegExp;
	/** The requests that a good item sends, as "METHOD /path?query" below /v1. */
	sends: string[];
	/** The requests that the bad item sends before it fails; absent: the same. */
	sendsInVain?: string[];
	/** The body that a good item sends with its last request. */
	body?: object;
	/** The record that a good item leaves must contain this. */
	gives: object;
}

/** A text that is nothing but `{name}` becomes the value itself. */
export function fill<Whole>(whole: Whole, item: IDataObject): Whole {
	const filled: unknown =
		typeof whole === 'string'
			? (item[/^\{(\w+)\}$/.exec(whole)?.[1] ?? ''] ??
				whole.replace(/\{(\w+)\}/g, (_, name: string) => text(item[name])))
			: Array.isArray(whole)
				? whole.map((part: unknown) => fill(part, item))
				: isPlain(whole)
					? Object.fromEntries(
							Object.entries(whole).map(([name, part]) => [name, fill(part, item)]),
						)
					: whole;
	return filled as Whole;
}

/** Matchers stay as they are. */
function isPlain(value: unknown): value is object {
	return typeof value === 'object' && value !== null && value.constructor === Object;
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

export const firstPage = (size: number | string = 50) => `page[number]=0&page[size]=${size}`;

/** Gives the body that is sent of a record. */
export const bodyOf = (type: string, attributes: object, more: object = {}) => ({
	data: { type, attributes, ...more },
});
