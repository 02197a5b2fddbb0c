import { Failure, type PlatformError } from './failure';
import { isObject, quote, text, type Json, type JsonObject } from './json';
import { areOthers } from './path';
import type { Answer, ApiRequest, Ask } from './ports';

/** The part of section 2.4 that decides where a list ends. */
interface PageMeta {
	/** As far as this page knows; 0 for an empty list. */
	lastPage: number;
	recordCount?: number;
}

/** One record, wrapped in `data` or flat as the job of section 2.1. */
export function readRecord(request: ApiRequest, { status, body }: Answer): JsonObject {
	if (isObject(body)) {
		const record = Object.hasOwn(body, 'data') ? body.data : body;
		const isRecord = isObject(record) && ('id' in record || 'attributes' in record);
		const asked = request.path.split('/').at(-1);
		if (isRecord && !areOthers(record.id, asked)) return record;
	}
	throw new Failure('unexpected_shape', request, { status });
}

export async function getRecord(ask: Ask, path: string): Promise<JsonObject> {
	const request = { method: 'GET', path } as const;
	return readRecord(request, await ask(request));
}

export function attributesOf({ attributes }: JsonObject): JsonObject {
	return isObject(attributes) ? attributes : {};
}

export function includedIn(body: unknown): JsonObject[] {
	const included = isObject(body) ? body.included : undefined;
	return Array.isArray(included) ? included.filter(isObject) : [];
}

export function readPage(request: ApiRequest, { status, body }: Answer) {
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	if (Array.isArray(data) && data.every(isObject)) return { records: data, meta: readMeta(meta) };
	throw new Failure('unexpected_shape', request, { status });
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

export function recordKey(record: JsonObject): string | undefined {
	const { id, type } = record;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	return `${typeof type === 'string' ? type : ''} ${id}`;
}

const mostErrors = 10;

/** The platform's errors in whatever envelope, short and free of secrets. */
export function readErrors(body: unknown): PlatformError[] {
	if (!isObject(body)) return [];
	const { errors, error, error_description: description, message = '' } = body;
	const found = [errors ?? []].flat().slice(0, mostErrors).map(readError).filter(saysSomething);
	if (found.length > 0) return found;
	// The OAuth envelope of RFC 6749, and the plain ones that proxies send.
	const plain = isObject(error) ? error : { code: error ?? '', detail: description ?? message };
	return [readError(plain)].filter(saysSomething);
}

function saysSomething({ code, title, detail }: PlatformError): boolean {
	return (code ?? title ?? detail) !== undefined;
}

/** In the envelope of a request or of a task (section 2.3). */
export function readError(error: Json): PlatformError {
	const { title, detail, message, source, field, attribute, ...rest } = isObject(error)
		? error
		: {};
	const code = codeOf(rest);
	// An error of another kind is quoted as a whole.
	if ((code ?? title ?? detail ?? message) === undefined) return { detail: quote(error) };
	const place = isObject(source) ? (source.pointer ?? source.parameter) : source;
	const about = quote(place ?? field ?? attribute);
	return { code: quote(code), title: quote(title), detail: quote(message ?? detail), about };
}

/** Some platforms swap the two: the HTTP status as the code, and the name of the error as the status. */
function codeOf({ code, status }: JsonObject): Json | undefined {
	const isName = typeof status === 'string' && !/^\d*$/.test(status);
	const isStatus = code === undefined || code === null || /^[1-5]\d\d$/.test(text(code));
	return isName && isStatus ? status : code;
}
