import { readPage } from './page';
import { mapConcurrently } from './concurrently';
import { upTo } from '../values/collections';
import { recordKey } from './document';
import type { ApiRequest, Ask, Query } from './request';
import type { JsonObject } from '../values/json';
import { asFailure, type Failure } from './failure';
import { Cancelled } from './cancelled';

export interface ListOptions {
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
	{ limit = Infinity, query, fallbackQuery, readAs = readPage, signal, onPage }: ListOptions = {},
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

	const requestOf = (number: number) =>
		requestOfPage(path, { query, fallbackQuery }, { 'page[number]': number, 'page[size]': size });

	/**
	 * 4.2: a page that does not exist is a 400, and an empty list need not have a page 0. Where the words of a later page do
	 * not say so, the first page tells how many there are.
	 */
	async function isBeyondTheEnd(number: number, { cause, status }: Failure): Promise<boolean> {
		if (number === 0) return cause === 'page_out_of_range';
		if (status !== 400) return false;
		if (cause === 'page_out_of_range' || lastPage === Infinity) return true;
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

function requestOfPage(
	path: string,
	{ query, fallbackQuery }: ListOptions,
	page: Query,
): ApiRequest {
	const fallback = fallbackQuery && { fallbackQuery: { ...fallbackQuery, ...page } };
	return { method: 'GET', path, query: { ...query, ...page }, ...fallback };
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
