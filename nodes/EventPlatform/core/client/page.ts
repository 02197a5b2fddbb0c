import { type JsonObject, isObject, type Json } from '../values/json';
import type { ApiRequest, ApiResponse } from './request';
import { recordsBeside, type RecordsBeside } from './document';
import { Failure } from './failure';

/** One page of a list. */
export interface Page extends PageMeta {
	records: JsonObject[];
	beside: RecordsBeside;
}

/** What a page says about its list (2.4). */
interface PageMeta {
	/** As far as this page knows; 0 for an empty list. Undefined where the platform does not say where the list ends. */
	lastPage?: number;
	/** How many records the list has. */
	recordCount?: number;
}

export function readPage(request: ApiRequest, { status, body }: ApiResponse): Page {
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	if (Array.isArray(data) && data.every(isObject)) {
		return { records: data, beside: recordsBeside(body), ...readMeta(meta) };
	}
	throw new Failure('unexpected_shape', request, { status });
}

/** A page of whatever was sent (2.6): what is no object becomes the `value` of one, and an object that is no list is all there is. */
export function readAnyPage(request: ApiRequest, answer: ApiResponse): Page {
	const { body } = answer;
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	const beside = recordsBeside(body);
	if (Array.isArray(data)) {
		const records = data.map((record): JsonObject =>
			isObject(record) ? record : { value: record as Json },
		);
		return { records, beside, ...readMeta(meta) };
	}
	if (!isObject(body)) return readPage(request, answer);
	return { records: [isObject(data) ? data : body], beside, lastPage: 0 };
}

function readMeta(meta: Json | undefined): PageMeta {
	if (!isObject(meta)) return {};
	const { current_page: current, next_page: next, page_count: pages, record_count } = meta;
	const recordCount = typeof record_count === 'number' ? record_count : undefined;
	// 0 is a page; null ends the list whatever the count says.
	if (next === null && typeof current === 'number') return { lastPage: current, recordCount };
	if (typeof pages === 'number') return { lastPage: Math.max(0, pages - 1), recordCount };
	return { lastPage: typeof next === 'number' ? next : undefined, recordCount };
}

/** The number of the last page, as far as this answer tells; undefined where it says nothing of pages. */
export function lastPageIn(body: unknown): number | undefined {
	return isObject(body) ? readMeta(body.meta).lastPage : undefined;
}
