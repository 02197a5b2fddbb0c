import { type JsonObject, isObject, type Json } from '../values/json';
import { pagePartsOf, type PageMeta } from '../dialect/pageMeta';
import type { ApiRequest, ApiResponse } from './request';
import { recordsBeside, type RecordsBeside } from './document';
import { Failure } from './failure';

/** One page of a list. */
export interface Page extends PageMeta {
	records: JsonObject[];
	beside: RecordsBeside;
}

export function readPage(request: ApiRequest, { status, body }: ApiResponse): Page {
	const { data, meta } = pagePartsOf(body);
	if (Array.isArray(data) && data.every(isObject)) {
		return { records: data, beside: recordsBeside(body), ...meta };
	}
	throw new Failure('unexpected_shape', request, { status });
}

/** A page of whatever was sent (2.6): what is no object becomes the `value` of one, and an object that is no list is all there is. */
export function readAnyPage(request: ApiRequest, answer: ApiResponse): Page {
	const { body } = answer;
	const { data, meta } = pagePartsOf(body);
	const beside = recordsBeside(body);
	if (Array.isArray(data)) {
		const records = data.map((record): JsonObject =>
			isObject(record) ? record : { value: record as Json },
		);
		return { records, beside, ...meta };
	}
	if (!isObject(body)) return readPage(request, answer);
	return { records: [isObject(data) ? data : body], beside, lastPage: 0 };
}
