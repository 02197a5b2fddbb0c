import type { Visit } from './operation';
import { isObject } from '../core/http/json';
import { readRecord, recordKey } from '../core/http/jsonApi';
import { listRecords } from '../core/http/paginate';
import type { Api, ApiRequest, Json, JsonObject } from '../core/http/ports';
import { simplify } from '../core/http/simplify';

/** A request body in JSON:API form. */
export function document(type: string, attributes: JsonObject, rest: JsonObject = {}): JsonObject {
	return { data: { type, ...rest, attributes } };
}

export async function getRecord(api: Api, path: string): Promise<JsonObject> {
	const request = { method: 'GET', path } as const;
	return readRecord(request, await api(request));
}

/** The record that the platform answers with, simplified when wanted. */
export async function oneRecord({ api, read }: Visit, request: ApiRequest): Promise<JsonObject> {
	// First, because an expression that fails must not do so after something was changed.
	const present = presenter(read.simplify(), request.query);
	const answer = await api(request);
	present.hear(answer.body);
	return present.show(readRecord(request, answer));
}

/** As many records of a list as were asked for. */
export async function manyRecords(
	{ api, read, signal, hint }: Visit,
	path: string,
	query?: ApiRequest['query'],
): Promise<JsonObject[]> {
	const { limit, simplify } = read.list();
	const present = presenter(simplify, query);
	const records = await listRecords(api, path, { limit, query, onPage: present.hear }, signal);
	const total = present.recordCount();
	if (total !== undefined && total > records.length && records.length === limit) {
		hint(
			`Showing ${grouped(records.length)} of ${grouped(total)}. Turn on Return All to get the rest.`,
		);
	}
	return records.map(present.show);
}

/** Deletes, and says so: the platform answers without a body. */
export async function deletion(
	api: Api,
	request: Pick<ApiRequest, 'path' | 'query' | 'body'>,
): Promise<JsonObject> {
	await api({ method: 'DELETE', ...request });
	return { deleted: true };
}

/** Related records stand beside the list (JSON:API `included`); each record gets those it refers to. */
function presenter(simplified: boolean, query: ApiRequest['query']) {
	const included = new Map<string, JsonObject>();
	let recordCount: number | undefined;
	const form = simplified ? simplify : (record: JsonObject) => record;

	return {
		recordCount: () => recordCount,
		hear(this: void, body: unknown) {
			if (!isObject(body)) return;
			if (isObject(body.meta) && typeof body.meta.record_count === 'number') {
				recordCount = body.meta.record_count;
			}
			for (const record of listOf(body.included)) {
				const key = recordKey(record);
				if (key !== undefined) included.set(key, record);
			}
		},
		show(this: void, record: JsonObject): JsonObject {
			if (query?.include === undefined) return form(record);
			const related = references(record)
				.map((key) => included.get(key))
				.filter((one) => one !== undefined);
			return { ...form(record), included: related.map(form) };
		},
	};
}

function references({ relationships }: JsonObject): string[] {
	if (!isObject(relationships)) return [];
	return Object.values(relationships)
		.flatMap((relationship) => (isObject(relationship) ? relationship.data : []))
		.flatMap((reference) => (isObject(reference) ? (recordKey(reference) ?? []) : []));
}

function listOf(value: Json | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

function grouped(count: number): string {
	return count.toLocaleString('en-US');
}
