import type { Visit } from './operation';
import { Related } from './related';
import { shapeOf } from './shape';
import type { Read } from '../parameters/read';
import { isObject } from '../core/http/json';
import { readRecord } from '../core/http/jsonApi';
import { listRecords } from '../core/http/paginate';
import type { Api, ApiRequest, JsonObject } from '../core/http/ports';

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
	const present = presenter(read);
	const answer = await api(request);
	return present(answer.body)(readRecord(request, answer));
}

/** As many records of a list as were asked for. */
export async function manyRecords(
	{ api, read, signal, hint }: Visit,
	path: string,
	query?: ApiRequest['query'],
): Promise<JsonObject[]> {
	const limit = read.limit();
	const present = presenter(read);
	let total: number | undefined;
	const onPage = (body: unknown) => {
		total = recordCount(body) ?? total;
		return present(body);
	};
	const records = await listRecords(api, path, { limit, query, onPage }, signal);
	if (total !== undefined && total > records.length && records.length === limit) {
		hint(
			`Showing ${grouped(records.length)} of ${grouped(total)}. Turn on 'Return All' to get the rest.`,
		);
	}
	return records;
}

/** Deletes, and says so: the platform answers without a body. */
export async function deletion(
	api: Api,
	request: Pick<ApiRequest, 'path' | 'query' | 'body'>,
): Promise<JsonObject> {
	await api({ method: 'DELETE', ...request });
	return { deleted: true };
}

/** Shapes the records of an answer; what was asked for beside them comes in its `included`. */
function presenter(read: Read) {
	const shape = shapeOf(read);
	const asked = read.names('options.include');

	return (body: unknown) => {
		const related = new Related(isObject(body) ? body.included : undefined);
		return (record: JsonObject): JsonObject => {
			const columns = shape.simplified ? related.columnsOf(record) : {};
			const isInColumns = (name: string) => `${name}_name` in columns;
			const shown = asked.filter((name) => !isInColumns(name));
			const simple = shape.one(record, columns, shown);
			if (shown.length === 0) return simple;
			return { ...simple, included: related.of(record, shown).map(shape.other) };
		};
	};
}

function recordCount(body: unknown): number | undefined {
	const meta = isObject(body) && isObject(body.meta) ? body.meta : {};
	return typeof meta.record_count === 'number' ? meta.record_count : undefined;
}

function grouped(count: number): string {
	return count.toLocaleString('en-US');
}
