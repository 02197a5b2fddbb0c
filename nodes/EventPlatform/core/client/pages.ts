import { mapInOrder } from './concurrently';
import { upTo } from '../values/collections';
import { readAnyPage, readPage, recordKey, type Page } from './document';
import type { ApiRequest, ApiResponse, Ask, Query } from './request';
import type { JsonObject } from '../values/json';
import { asFailure, type Failure } from './failure';
import { Cancelled } from './cancelled';

export interface ListOptions {
	/** How many records are read at most; all of them where it is absent. */
	limit?: number;
	/** The query of every page, without the page itself. */
	query?: ApiRequest['query'];
	/** The parameters that a request adds to its query, as in a request. */
	addedQuery?: ApiRequest['addedQuery'];
	/** When a page is asked for again, as in a request. */
	retry?: ApiRequest['retry'];
	/** Whether whatever was sent is given (2.6). Else what is no list of records fails. */
	takesAnyShape?: boolean;
	/** Aborted when no further page is needed. Absent: nothing ends the list early. */
	signal?: AbortSignal;
}

/** Section 4.2 allows no larger pages. */
export const largestPage = 50;
/** How far pages are fetched ahead. */
const ahead = {
	/** Ten pages use five requests per second if each takes two seconds. */
	mostUnderWay: 10,
	/** No more pages leave during the minute that one may take, and these are as many as may fill the memory. */
	mostAhead: 300,
};

/** Takes the place of a page that has nothing of the list. */
const nothing: Page = { records: [], beside: new Map() };

/** Gives the records of a list as they were sent, in the platform's order. */
export async function listRecords(
	ask: Ask,
	path: string,
	options: ListOptions = {},
): Promise<JsonObject[]> {
	const all: JsonObject[] = [];
	for await (const { records } of readPages(ask, path, options)) {
		for (const record of records) all.push(record);
	}
	return all;
}

/**
 * Gives the pages of a list in the platform's order, each without the records that came before, and fetches the next ones
 * meanwhile. A caller that keeps little of each record can so read a list that would fill the memory.
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

/** Owns what the pages of one list have told so far: which records it has, and where it ends. */
class List {
	/** The same on every page: another size would cut the list elsewhere. */
	private readonly pageSize: number;
	/** The keys of the records that were given. A record without an id has none. */
	private readonly keys = new Set<string>();
	/** How many records were given. */
	private count = 0;
	/** The number of the last page; undefined where no page has told it. */
	private lastPage?: number;
	/** The first page with nothing, or with what page 0 has: none comes after it, whatever the others say. */
	private endPage?: number;
	private firstPageSign?: string;
	/** The platform may give smaller pages than it was asked for. Page 0 tells. */
	private perPage = 1;

	constructor(
		private readonly ask: Ask,
		private readonly path: string,
		private readonly options: ListOptions,
		private readonly limit: number,
	) {
		this.pageSize = Math.min(limit, largestPage);
	}

	/** Page 0 tells how many pages there are (2.4); the others are fetched side by side. */
	async *read(): AsyncGenerator<Page, void> {
		const first = await this.visit(0);
		this.perPage = Math.max(1, first.records.length);
		yield this.withoutRepetitions(first);
		const lastNeeded = Math.ceil(this.limit / this.perPage) - 1;
		const last = Math.min(this.lastPage ?? Infinity, lastNeeded);
		const numbers = Number.isFinite(last) ? upTo(last) : [];
		const others = mapInOrder(numbers, ahead, (number) => this.visit(number));
		let number = 0;
		let previous = first;
		for await (const page of others) {
			number++;
			yield* this.readAgain(number, deletedBetween(previous, page));
			yield this.withoutRepetitions(page);
			previous = page;
		}
		yield* this.readOn(number + 1);
	}

	/** Reads the pages in front of page `end` again, to which as many records of it moved as were deleted meanwhile. */
	private async *readAgain(end: number, deleted: number): AsyncGenerator<Page, void> {
		// Without ids the records of two reads cannot be told apart.
		if (this.keys.size < this.count) return;
		const start = Math.max(0, end - Math.ceil(deleted / this.perPage));
		for (let number = start; number < end; number++) {
			yield this.withoutRepetitions(await this.visit(number));
		}
	}

	/** The list may have grown meanwhile, or may not say how long it is. */
	private async *readOn(from: number): AsyncGenerator<Page, void> {
		for (let number = from; this.count < this.limit; number++) {
			if (this.lastPage !== undefined && number > this.lastPage) return;
			const page = this.withoutRepetitions(await this.visit(number));
			if (page.records.length === 0) return;
			yield page;
		}
	}

	/** Leaves out records that moved to a later page meanwhile, and those beyond the limit. */
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

	/** Fetches a page, and learns from it where the list ends. */
	private async visit(number: number): Promise<Page> {
		if (this.options.signal?.aborted) throw new Cancelled();
		if (this.endPage !== undefined && number >= this.endPage) return nothing;
		const page = await this.fetchPage(number);
		if (!page) return this.learnMissing(number);
		const { records, lastPage } = page;
		const sign = signOf(page);
		if (number === 0) this.firstPageSign = sign;
		const isFirstAgain = number > 0 && sign !== undefined && sign === this.firstPageSign;
		if (number > 0 && (records.length === 0 || isFirstAgain)) this.endAt(number);
		if (isFirstAgain) return nothing;
		this.lastPage = lastPage ?? (records.length < this.pageSize ? number : undefined);
		return page;
	}

	/** Records were deleted meanwhile: the list has become shorter, or there are none at all. */
	private learnMissing(number: number): Page {
		if (number === 0) this.lastPage = 0;
		else this.endAt(number);
		return { ...nothing, recordCount: number * this.perPage };
	}

	/** Gives undefined for a page that the list does not have. */
	private async fetchPage(number: number): Promise<Page | undefined> {
		const request = this.requestOf(number);
		const response = await this.ask(request).catch(async (error: unknown) => {
			if (!(await this.isBeyondTheEnd(number, asFailure(error)))) throw error;
		});
		return response ? this.readResponse(request, response) : undefined;
	}

	/**
	 * 4.2: a page that does not exist is a 400, and an empty list need not have a page 0. Where the words of a later page do
	 * not say so, the first page tells how many there are.
	 */
	private async isBeyondTheEnd(number: number, { cause, status }: Failure): Promise<boolean> {
		if (number === 0) return cause === 'page_out_of_range';
		if (status !== 400) return false;
		if (cause === 'page_out_of_range' || this.lastPage === undefined) return true;
		const request = this.requestOf(0);
		const { lastPage } = this.readResponse(request, await this.ask(request));
		return lastPage !== undefined && number > lastPage;
	}

	private endAt(number: number): void {
		this.endPage = Math.min(this.endPage ?? number, number);
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

/** How many records were deleted after one page was read and before the next was, as far as both tell how many there are. */
function deletedBetween(previous: Page, { recordCount: now }: Page): number {
	const { recordCount: before } = previous;
	return before === undefined || now === undefined ? 0 : before - now;
}

/** Tells the first page, which some platforms send whatever number is asked for. Records without ids may be alike. */
function signOf({ records, lastPage }: Page): string | undefined {
	const [first = {}] = records;
	return recordKey(first) ?? (lastPage === undefined ? JSON.stringify(records) : undefined);
}
