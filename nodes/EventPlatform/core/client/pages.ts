import { upTo } from '../values/collections';
import { mapConcurrently } from './concurrently';
import { asFailure, Cancelled, Failure } from './failure';
import { isObject, type Json, type JsonObject } from '../values/json';
import { areOthers, type Answer, type ApiRequest, type Ask } from './request';

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

export async function askForRecord(ask: Ask, request: ApiRequest): Promise<JsonObject> {
	return readRecord(request, await ask(request));
}

export async function getRecord(ask: Ask, path: string): Promise<JsonObject> {
	return await askForRecord(ask, { method: 'GET', path });
}

export function attributesOf({ attributes }: JsonObject): JsonObject {
	return isObject(attributes) ? attributes : {};
}

export function includedIn(body: unknown): JsonObject[] {
	const included = isObject(body) ? body.included : undefined;
	return Array.isArray(included) ? included.filter(isObject) : [];
}

/** One page of a list. */
export interface Page {
	records: JsonObject[];
	/** Undefined where the platform does not say where the list ends. */
	meta?: PageMeta;
}

/** What decides where a list ends (2.4). */
export interface PageMeta {
	/** As far as this page knows; 0 for an empty list. */
	lastPage: number;
	recordCount?: number;
}

export function readPage(request: ApiRequest, { status, body }: Answer): Page {
	const { data, meta } = isObject(body) ? body : { data: body, meta: undefined };
	if (Array.isArray(data) && data.every(isObject)) return { records: data, meta: readMeta(meta) };
	throw new Failure('unexpected_shape', request, { status });
}

/** A page of whatever was sent (2.6): what is no object becomes the `value` of one, and an object that is no list is all there is. */
export function readAnyPage(request: ApiRequest, answer: Answer): Page {
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

export function recordKey(record: JsonObject): string | undefined {
	const { id, type } = record;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	return `${typeof type === 'string' ? type : ''} ${id}`;
}

export interface List {
	limit?: number;
	query?: ApiRequest['query'];
	/** As in a request. */
	fallbackQuery?: ApiRequest['fallbackQuery'];
	/** How an answer is read; `readPage` unless said otherwise, which refuses what is no list of records. */
	readAs?: typeof readPage;
	signal?: AbortSignal;
	/** Hears each page, and says what is kept of its records, the id at least. Absent: the records as sent. */
	onPage?: (body: unknown) => (record: JsonObject) => JsonObject;
}

/** Section 4.2. */
export const largestPage = 50;
/** Enough to use five requests per second at two seconds each; the answers in memory stay few. */
const concurrent = 10;

/** In the platform's order. Page 0 tells how many pages there are (2.4); the others are fetched side by side. */
export async function listRecords(
	api: Ask,
	path: string,
	{ limit = Infinity, query, fallbackQuery, readAs = readPage, signal, onPage }: List = {},
): Promise<JsonObject[]> {
	if (limit < 1) return [];
	// The same size on every page: another size would cut the list elsewhere.
	const size = Math.min(limit, largestPage);
	const pages: JsonObject[][] = [];
	/** How many records there were when a page was read. */
	const counts = new Map<number, number | undefined>();
	let lastPage = Infinity;
	/** The first page with nothing, or with what page 0 has: none comes after it, whatever the others say. */
	let end = Infinity;
	let firstPage: unknown;

	const requestOf = (number: number): ApiRequest => {
		const page = { 'page[number]': number, 'page[size]': size };
		const fallback = fallbackQuery && { fallbackQuery: { ...fallbackQuery, ...page } };
		return { method: 'GET', path, query: { ...query, ...page }, ...fallback };
	};

	/**
	 * 4.2: a page that does not exist is a 400, and an empty list need not have a page 0. Where the words of a later page do
	 * not say so, the first page tells how many there are.
	 */
	async function isBeyondTheEnd(number: number, { reason, status }: Failure): Promise<boolean> {
		if (number === 0) return reason === 'page_out_of_range';
		if (status !== 400) return false;
		if (reason === 'page_out_of_range' || lastPage === Infinity) return true;
		const first = requestOf(0);
		const { meta } = readAs(first, await api(first));
		return meta !== undefined && number > meta.lastPage;
	}

	async function read(number: number): Promise<void> {
		if (signal?.aborted) throw new Cancelled();
		if (number >= end) return;
		const request = requestOf(number);
		const answer = await api(request).catch(async (error: unknown) => {
			if (!(await isBeyondTheEnd(number, asFailure(error)))) throw error;
		});
		// Else records were deleted meanwhile: the list has become shorter, or there are none at all.
		const left = number * (pages[0]?.length ?? size);
		const shorter = { lastPage: number === 0 ? 0 : lastPage, recordCount: left };
		const { records, meta } = answer ? readAs(request, answer) : { records: [], meta: shorter };
		const sign = signOf(records, meta !== undefined);
		const isFirstAgain = number > 0 && sign !== undefined && sign === firstPage;
		if (number === 0) firstPage = sign;
		else if (records.length === 0 || isFirstAgain) end = Math.min(end, number);
		if (isFirstAgain) return;
		const kept = onPage && answer ? records.map(onPage(answer.body)) : records;
		// Read again, it keeps what was on it before: that has only moved to the page in front.
		pages[number] = [...(pages[number] ?? []), ...kept];
		counts.set(number, meta?.recordCount);
		lastPage = meta?.lastPage ?? (records.length < size ? number : Infinity);
	}

	await read(0);
	// The platform may give smaller pages than it was asked for; until now there is but one.
	const perPage = Math.max(1, pages.flat().length);
	const others = Math.min(lastPage, Math.ceil(limit / perPage) - 1);
	if (Number.isFinite(others)) await mapConcurrently(upTo(others), concurrent, read);

	for (const number of pagesWithGaps(counts, perPage)) {
		// Without ids the records of two reads cannot be told apart.
		if (pages[number]?.every(recordKey)) await read(number);
	}

	// The list may have grown meanwhile, or may not say how long it is.
	let records = distinct(pages.flat());
	for (let number = pages.length; records.length < limit && number <= lastPage; number++) {
		const before = records.length;
		await read(number);
		records = distinct(pages.flat());
		if (records.length === before) break;
	}
	return records.slice(0, limit);
}

/** The pages to read again: records that were deleted between two reads moved as many up to a page that was read already. */
function pagesWithGaps(counts: ReadonlyMap<number, number | undefined>, perPage: number): number[] {
	const gaps = new Set<number>();
	for (const [number, count = 0] of counts) {
		const deleted = count - (counts.get(number + 1) ?? count);
		for (let back = 0; back * perPage < deleted; back++) gaps.add(Math.max(0, number - back));
	}
	return [...gaps].sort((a, b) => a - b);
}

/** Records that moved to a later page meanwhile come twice. */
function distinct(records: JsonObject[]): JsonObject[] {
	return [...new Map(records.map((one, index) => [recordKey(one) ?? index, one])).values()];
}

/** Tells the first page, which some answer whatever number is asked for. Records without ids may be alike. */
function signOf(records: JsonObject[], hasMeta: boolean): unknown {
	const [first = {}] = records;
	return recordKey(first) ?? (hasMeta ? undefined : JSON.stringify(records));
}
