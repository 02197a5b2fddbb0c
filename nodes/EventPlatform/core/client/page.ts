import { type JsonObject, isObject, type Json } from '../values/json';
import type { ApiRequest, ApiResponse } from './request';
import { Failure } from './failure';

/** One page of a list. */
export interface Page {
	records: JsonObject[];
	/** Undefined where the platform does not say where the list ends. */
	meta?: PageMeta;
}

/** The facts that decide where a list ends (2.4). */
export interface PageMeta {
	/** As far as this page knows; 0 for an empty list. */
	lastPage: number;
	recordCount?: number;
}

export function readPage(request: ApiRequest, { status, body }: ApiResponse): Page {
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	if (Array.isArray(data) && data.every(isObject)) return { records: data, meta: readMeta(meta) };
	throw new Failure('unexpected_shape', request, { status });
}

/** A page of whatever was sent (2.6): what is no object becomes the `value` of one, and an object that is no list is all there is. */
export function readAnyPage(request: ApiRequest, answer: ApiResponse): Page {
	const { body } = answer;
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	if (Array.isArray(data)) {
		const records = data.map((one): JsonObject => (isObject(one) ? one : { value: one as Json }));
		return { records, meta: readMeta(meta) };
	}
	if (!isObject(body)) return readPage(request, answer);
	return { records: [isObject(data) ? data : body], meta: { lastPage: 0 } };
}

function readMeta(meta: Json | undefined): PageMeta | undefined {
	if (!isObject(meta)) return undefined;
	const { current_page: current, next_page: next, page_count: pages, record_count } = meta;
	const recordCount = typeof record_count === 'number' ? record_count : undefined;
	// 0 is a page; null ends the list whatever the count says.
	if (next === null && typeof current === 'number') return { lastPage: current, recordCount };
	if (typeof pages === 'number') return { lastPage: Math.max(0, pages - 1), recordCount };
	return typeof next === 'number' ? { lastPage: next, recordCount } : undefined;
}

/** The number of the last page, as far as this answer tells; undefined where it says nothing of pages. */
export function lastPageIn(body: unknown): number | undefined {
	return isObject(body) ? readMeta(body.meta)?.lastPage : undefined;
}
