import { isObject } from '../core/http/json';
import { readPage } from '../core/http/jsonApi';
import { largestPage } from '../core/http/paginate';
import type { Api, JsonObject } from '../core/http/ports';

export interface ListPage {
	records: JsonObject[];
	/** Related records beside the list. */
	included: JsonObject[];
	/** Undefined on the last page. */
	next?: number;
}

/** One page for a list that people scroll through. */
export async function readListPage(
	api: Api,
	path: string,
	page: number,
	query: Readonly<Record<string, string>> = {},
): Promise<ListPage> {
	const request = {
		method: 'GET',
		path,
		query: { ...query, 'page[number]': page, 'page[size]': largestPage },
	} as const;
	const answer = await api(request);
	const { records, meta } = readPage(request, answer);
	const beside = isObject(answer.body) ? answer.body.included : undefined;
	return {
		records,
		included: Array.isArray(beside) ? beside.filter(isObject) : [],
		next: meta && meta.lastPage > page ? page + 1 : undefined,
	};
}
