import type { ApiRequest, ApiResponse, Ask } from './request';
import { readPageMeta, recordIn, type PageMeta } from '../dialect/envelope';
import { type JsonObject, isObject } from '../values/json';
import { areDifferentUuids, normalizeId } from './path';
import { Failure } from './failure';

/* This file reads the records in the body of a response: one record, a page of records, and the related ones that are included. */

export function readRecord(request: ApiRequest, { status, body }: ApiResponse): JsonObject {
	const record = recordIn(body);
	if (record && mayBeAskedFor(record, request)) return record;
	throw new Failure('unexpected_shape', request, { status });
}

/**
 * Only another UUID shows that a record is another one than the path of the request names. Taken for the requested session, it would
 * let Sync remove the people of the one by the list of the other.
 */
function mayBeAskedFor({ id }: JsonObject, { path }: ApiRequest): boolean {
	return !areDifferentUuids(id, path.split('/').at(-1));
}

export async function askForRecord(ask: Ask, request: ApiRequest): Promise<JsonObject> {
	return readRecord(request, await ask(request));
}

export async function getRecord(ask: Ask, path: string): Promise<JsonObject> {
	return await askForRecord(ask, { method: 'GET', path });
}

/** While a list is read, `lastPage` is that of a short page as well, which is the last where the platform does not say where the list ends. */
export interface Page extends PageMeta {
	/** The number of the page in its list, counted from 0. Absent while a list is read: the page was refused, or is behind the end. */
	number?: number;
	records: JsonObject[];
	included: IncludedRecords;
}

export function readPage(request: ApiRequest, { status, body }: ApiResponse): Page {
	const { data, meta } = isObject(body) ? body : {};
	if (Array.isArray(data) && data.every(isObject)) {
		return { records: data, included: includedIn(body), ...readPageMeta(meta) };
	}
	throw new Failure('unexpected_shape', request, { status });
}

export function attributesOf({ attributes }: JsonObject): JsonObject {
	return isObject(attributes) ? attributes : {};
}

/** The related records that came with the requested ones (JSON:API `included`), by their `recordKey`. */
export type IncludedRecords = ReadonlyMap<string, JsonObject>;

export function includedIn(body: unknown): IncludedRecords {
	const records = isObject(body) && Array.isArray(body.included) ? body.included : [];
	const included = new Map<string, JsonObject>();
	for (const record of records.filter(isObject)) {
		const key = recordKey(record);
		if (key !== undefined) included.set(key, record);
	}
	return included;
}

export function recordKey(record: JsonObject): string | undefined {
	const { id, type } = record;
	if (typeof id !== 'string') return undefined;
	return `${typeof type === 'string' ? type : ''} ${normalizeId(id)}`;
}
