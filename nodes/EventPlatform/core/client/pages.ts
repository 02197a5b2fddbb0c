import { mapInOrder } from './concurrently';
import { upTo } from '../values/collections';
import { readAnyPage, readPage, recordKey, type Page } from './document';
import type { ApiRequest, ApiResponse, Ask, Query } from './request';
import { saysNoSuchPage } from '../dialect/refusals';
import type { JsonObject } from '../values/json';
import { asFailure, Failure } from './failure';
import { Cancelled } from './clock';

export interface ListOptions {
	limit?: number;
	query?: ApiRequest['query'];
	addedQuery?: ApiRequest['addedQuery'];
	retry?: ApiRequest['retry'];
	/** The number of the page that is read first. Absent: 0. The pages before it are left out. */
	firstPage?: number;
	/** Pages may have any shape (2.6). Otherwise a page that is no list of records is a failure. */
	takesAnyShape?: boolean;
	/** Aborted when no further page is needed. Absent: nothing ends the list early. */
	signal?: AbortSignal;
}

/** Section 4.2 allows no larger pages. */
export const largestPage = 50;
/** How far pages are fetched ahead. */
const aheadLimits = {
	/** Ten pages use five requests per second if each takes two seconds: a page of fifty takes longer than one record. */
	mostUnderWay: 10,
	/** Five requests a second are 300 in the minute that one page may take. More pages would fill the memory. */
	mostAhead: 300,
};

/** This page stands for one that has nothing of the list. */
const emptyPage: Page = { records: [], beside: new Map() };

/** Asks for one page of a list. A page that the list does not have is empty: an empty list need not have a page 0 (4.2). */
export async function askForPage(ask: Ask, request: ApiRequest): Promise<Page> {
	const response = await ask(request).catch(asFailure);
	if (!(response instanceof Failure)) return readPage(request, response);
	if (hasNoSuchPage(response)) return emptyPage;
	throw response;
}

export function hasNoSuchPage({ cause }: Failure): boolean {
	return cause === 'page_out_of_range';
}

/** Where page 0 is refused without words, the filter itself may be what is refused, and who is looked for may be there. */
export function saysNothingPasses({ cause, errors }: Failure): boolean {
	return cause === 'nothing_or_filter' && saysNoSuchPage(errors);
}

export async function listRecords(
	ask: Ask,
	path: string,
	options: ListOptions = {},
): Promise<JsonObject[]> {
	const allRecords: JsonObject[] = [];
	for await (const { records } of readPages(ask, path, options)) {
		for (const record of records) allRecords.push(record);
	}
	return allRecords;
}

/**
 * A caller that keeps little of each record can read a list that would fill the memory. The pages come in the platform's order, each
 * without the records that came before, and the next ones are fetched meanwhile.
 */
export async function* readPages(
	ask: Ask,
	path: string,
	options: ListOptions = {},
): AsyncGenerator<Page, void> {
	const { limit = Infinity } = options;
	if (limit < 1) return;
	for await (const page of new List(ask, path, options, limit).read()) {
		if (page.records.length > 0) yield page;
	}
}

/**
 * Keeps where a list ends, as its pages have told so far. Ten pages are read at the same time, and each of them is noted here when it
 * arrives, in any order (`List.visit`; nothing else writes). What `List.read` decides before the others are asked for rests on the
 * first page alone.
 */
class ListEnd {
	/** By the latest page that arrived, because a list may grow and shrink. Undefined: it does not say. */
	lastPage?: number;
	/** The lowest number of a page that is not there, is empty or repeats page 0. Pages behind it do not count, whatever they say. */
	private endPage = Infinity;
	/** Undefined until page 0 has arrived, and where nothing tells it from other pages. */
	private firstPageSign?: string;

	isBehind(number: number): boolean {
		return number >= this.endPage;
	}

	noteMissing(number: number): void {
		this.endPage = Math.min(this.endPage, number);
	}

	/** Notes a page that arrived. Returns false where it is page 0 again, which is no part of the list. */
	note(number: number, page: Page, pageSize: number): boolean {
		const { records, lastPage } = page;
		const sign = signOf(page);
		if (number === 0) this.firstPageSign = sign;
		const isFirstAgain = number > 0 && sign !== undefined && sign === this.firstPageSign;
		if (number > 0 && (records.length === 0 || isFirstAgain)) this.noteMissing(number);
		if (isFirstAgain) return false;
		// Without a count a short page is the last. To ask for one more would cost each short list a request.
		this.lastPage = lastPage ?? (records.length < pageSize ? number : undefined);
		return true;
	}
}

/** Owns the facts that the pages of one list have told so far: which records it has, and where it ends. */
class List {
	/** The size of every page, because another size would cut the list elsewhere. */
	private readonly pageSize: number;
	/** The keys of the records that were given. A record without an id has none. */
	private readonly keys = new Set<string>();
	private count = 0;
	private readonly end = new ListEnd();
	/** How many records a page has. The platform may give smaller pages than it was asked for, as the first page read shows. */
	private perPage: number;

	constructor(
		private readonly ask: Ask,
		private readonly path: string,
		private readonly options: ListOptions,
		private readonly limit: number,
	) {
		this.pageSize = Math.min(limit, largestPage);
		this.perPage = this.pageSize;
	}

	async *read(): AsyncGenerator<Page, void> {
		const { firstPage: firstNumber = 0 } = this.options;
		const firstPage = await this.visit(firstNumber);
		this.perPage = Math.max(1, firstPage.records.length);
		yield this.withoutRepetitions(firstPage);
		const lastNeededNumber = firstNumber + Math.ceil(this.limit / this.perPage) - 1;
		const lastNumber = Math.min(this.end.lastPage ?? Infinity, lastNeededNumber);
		const numbers = Number.isFinite(lastNumber) ? upTo(lastNumber).slice(firstNumber) : [];
		const otherPages = mapInOrder(numbers, aheadLimits, (number) => this.visit(number));
		let number = firstNumber;
		let previous = firstPage;
		for await (const page of otherPages) {
			number++;
			yield* this.rereadPages(number, deletedBetween(previous, page));
			yield this.withoutRepetitions(page);
			previous = page;
		}
		yield* this.readFurtherPages(number + 1);
	}

	/** Reads the pages in front of page `end` again, because as many of its records moved there as were deleted meanwhile. */
	private async *rereadPages(end: number, deletedCount: number): AsyncGenerator<Page, void> {
		// Without ids the records of two reads cannot be told apart.
		if (this.keys.size < this.count) return;
		const { firstPage = 0 } = this.options;
		const start = Math.max(firstPage, end - Math.ceil(deletedCount / this.perPage));
		for (let number = start; number < end; number++) {
			yield this.withoutRepetitions(await this.visit(number));
		}
	}

	/** Reads the pages behind the expected ones, because the list may have grown meanwhile, or may not say how long it is. */
	private async *readFurtherPages(start: number): AsyncGenerator<Page, void> {
		for (let number = start; this.count < this.limit; number++) {
			if (this.end.lastPage !== undefined && number > this.end.lastPage) return;
			const page = this.withoutRepetitions(await this.visit(number));
			if (page.records.length === 0) return;
			yield page;
		}
	}

	private withoutRepetitions(page: Page): Page {
		const records: JsonObject[] = [];
		for (const record of page.records) {
			const key = recordKey(record);
			if (this.count === this.limit || (key !== undefined && this.keys.has(key))) continue;
			if (key !== undefined) this.keys.add(key);
			this.count++;
			records.push(record);
		}
		return { ...page, records };
	}

	private async visit(number: number): Promise<Page> {
		if (this.options.signal?.aborted) throw new Cancelled();
		if (this.end.isBehind(number)) return emptyPage;
		const page = await this.fetchWholePage(number);
		if (!page) {
			this.end.noteMissing(number);
			// At most so many are left, so `read` sees how many were deleted since the page in front.
			return { ...emptyPage, recordCount: number * this.perPage };
		}
		return this.end.note(number, page, this.pageSize) ? { ...page, number } : emptyPage;
	}

	/** Fetches a page, once more where it is empty although the list goes on there: it is no end of the list, but a fault. */
	private async fetchWholePage(number: number): Promise<Page | undefined> {
		const page = await this.fetchPage(number);
		if (!page || !(await this.isLeftOut(number, page))) return page;
		const pageAgain = await this.fetchPage(number);
		if (!pageAgain || !(await this.isLeftOut(number, pageAgain))) return pageAgain;
		const { lastPage = this.end.lastPage, recordCount } = pageAgain;
		const pageCount = Math.max(number, lastPage ?? 0) + 1;
		const ofRecords = recordCount === undefined ? '' : ` The list has ${recordCount} records.`;
		const detail = `Page ${number + 1} of ${pageCount} is empty.${ofRecords}`;
		throw new Failure('incomplete_list', this.requestOf(number), { errors: [{ detail }] });
	}

	/** A page may be empty although the list has records there (2.4). Its own meta says so, else what page 0 tells now. */
	private async isLeftOut(number: number, page: Page): Promise<boolean> {
		if (page.records.length > 0) return false;
		const saysNothing = page.recordCount === undefined && page.lastPage === undefined;
		const mayHaveMore =
			this.end.lastPage !== undefined && number > 0 && number <= this.end.lastPage;
		const meta = saysNothing && mayHaveMore ? await this.fetchPage(0) : page;
		if (!meta) return false;
		const { recordCount, lastPage } = meta;
		if (recordCount === undefined) return lastPage !== undefined && number < lastPage;
		return recordCount > number * this.perPage && number <= (lastPage ?? number);
	}

	/** Undefined means that the list does not have the page. */
	private async fetchPage(number: number): Promise<Page | undefined> {
		const request = this.requestOf(number);
		const response = await this.ask(request).catch(async (error: unknown) => {
			if (!(await this.isBeyondTheEnd(number, asFailure(error)))) throw error;
		});
		return response ? this.readResponse(request, response) : undefined;
	}

	/**
	 * A page that does not exist is refused with a 400, and an empty list need not have a page 0 (4.2). Where the words of the refusal of
	 * a later page do not say so, page 0 tells how many pages there are.
	 */
	private async isBeyondTheEnd(number: number, failure: Failure): Promise<boolean> {
		if (number === 0) return hasNoSuchPage(failure);
		if (failure.status !== 400) return false;
		if (hasNoSuchPage(failure) || this.end.lastPage === undefined) return true;
		const request = this.requestOf(0);
		const { lastPage } = this.readResponse(request, await this.ask(request));
		return lastPage !== undefined && number > lastPage;
	}

	private readResponse(request: ApiRequest, response: ApiResponse): Page {
		const { takesAnyShape } = this.options;
		return takesAnyShape ? readAnyPage(request, response) : readPage(request, response);
	}

	private requestOf(number: number): ApiRequest {
		const { query, addedQuery, retry } = this.options;
		const page: Query = { 'page[number]': number, 'page[size]': this.pageSize };
		return { method: 'GET', path: this.path, query: { ...query, ...page }, addedQuery, retry };
	}
}

/** Counts the records that were deleted between the reads of two pages, as far as both tell how many the list has. */
function deletedBetween(previous: Page, next: Page): number {
	const { recordCount: countBefore } = previous;
	const { recordCount: countAfter } = next;
	if (countBefore === undefined || countAfter === undefined) return 0;
	return countBefore - countAfter;
}

/**
 * Page 0 is recognised by this text, because some platforms send it whatever number is asked for. Where records have no ids it is the
 * whole page, and only if the list does not say where it ends, because such records may be alike.
 */
function signOf({ records, lastPage }: Page): string | undefined {
	const [firstRecord = {}] = records;
	return recordKey(firstRecord) ?? (lastPage === undefined ? JSON.stringify(records) : undefined);
}
