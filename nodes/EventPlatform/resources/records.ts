import type { Visit } from './operation';
import { Related } from './related';
import { shapeOf } from './shape';
import type { Read } from '../parameters/read';
import { thousands } from '../core/http/cost';
import { isObject } from '../core/http/json';
import { readRecord } from '../core/http/jsonApi';
import { listRecords } from '../core/http/paginate';
import type { Api, ApiRequest, JsonObject } from '../core/http/ports';

/** A request body in JSON:API form. */
export function document(type: string, attributes: JsonObject, rest: JsonObject = {}): JsonObject {
	return { data: { type, ...rest, attributes } };
}

/** The record that the platform answers with, simplified when wanted. */
export async function oneRecord({ api, read }: Visit, request: ApiRequest): Promise<JsonObject> {
	// First, because an expression that fails must not do so after something was changed.
	const present = presenter(read);
	const answer = await api(request);
	return present(answer.body)(readRecord(request, answer));
}

/** As many records of a list as were asked for; with `isWanted`, which the platform knows nothing of, among all of them. */
export async function manyRecords(
	{ api, read, signal, hint }: Visit,
	path: string,
	query?: ApiRequest['query'],
	isWanted?: (record: JsonObject) => boolean,
): Promise<JsonObject[]> {
	const limit = read.limit();
	const present = presenter(read);
	if (isWanted) {
		const wanted = new Set<JsonObject>();
		const onPage = (body: unknown) => {
			const show = present(body);
			return (record: JsonObject) => {
				if (!isWanted(record)) return { id: record.id ?? null };
				const shown = show(record);
				wanted.add(shown);
				return shown;
			};
		};
		const all = await listRecords(api, path, { query, onPage }, signal);
		return all.filter((record) => wanted.has(record)).slice(0, limit);
	}
	let total: number | undefined;
	const onPage = (body: unknown) => {
		total = recordCount(body) ?? total;
		return present(body);
	};
	const records = await listRecords(api, path, { limit, query, onPage }, signal);
	if (total !== undefined && total > records.length && records.length === limit) {
		hint(
			`Showing ${thousands(records.length)} of ${thousands(total)}. Turn on 'Return All' to get the rest.`,
		);
	}
	return records;
}

/** Deletes, and says what: the platform answers without a body. */
export async function deletion(
	api: Api,
	request: Pick<ApiRequest, 'path' | 'query' | 'body'>,
	what: JsonObject = {},
): Promise<JsonObject> {
	await api({ method: 'DELETE', ...request });
	return { deleted: true, ...what };
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
