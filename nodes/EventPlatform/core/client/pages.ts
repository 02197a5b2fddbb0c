import { mapInOrder } from './concurrently';
import { upTo } from '../values/collections';
import { readPage, recordKey, type Page } from './document';
import type { ApiRequest, Ask, Query } from './request';
import type { JsonObject } from '../values/json';
import { asFailure, Failure } from './failure';
import { Cancelled } from './clock';

/*
 * What this rests on: section 2.4 says what a page tells of its list, and 4.2 that a page that does not exist is refused. Results of tasks
 * have no ID (2.3). People register and are removed while a list is read. A platform may leave out the counts where no payload is shown
 * (4.3): such a list is read until a page has fewer records than were asked for (4.2), or none that is new. To ask for one more page would
 * cost each form a request.
 */

export interface ListOptions {
	limit?: number;
	query?: ApiRequest['query'];
	addedQuery?: ApiRequest['addedQuery'];
	retry?: ApiRequest['retry'];
	/** The number of the page that is read first. Absent: 0. The pages before it are left out. */
	firstPage?: number;
	/**
	 * Page 0 refused without words throws. Absent: it is an empty list. For readers that remember that they have read the list: a gateway may
	 * have refused the request, and nobody would ever look again at what came before.
	 */
	isEmptyInWordsOnly?: boolean;
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
const emptyPage: Page = { records: [], included: new Map() };

/** Asks for one page of a list. A page that the list does not have is empty: an empty list need not have a page 0 (4.2). */
export async function askForPage(ask: Ask, request: ApiRequest): Promise<Page> {
	const response = await ask(request).catch(asFailure);
	if (!(response instanceof Failure)) return readPage(request, response);
	if (response.cause === 'page_out_of_range') return emptyPage;
	throw response;
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

/** Owns the facts that the pages of one list have told so far: which records it has, and where it ends. */
class List {
	/** The size of every page, because another size would cut the list elsewhere. */
	private readonly pageSize: number;
	private readonly firstNumber: number;
	/** The keys of the records that were given. A record without an id has none. */
	private readonly keys = new Set<string>();
	private count = 0;
	/** By the latest page that arrived, because a list may grow and shrink. Undefined: it does not say. */
	private lastPage?: number;
	/** The lowest number of a page that is not there or is empty. Pages behind it are not asked for, whatever the count of pages is. */
	private endPage = Infinity;
	/**
	 * How many records a page has, as the first page read shows. Supposed: a platform may give smaller pages than it was asked for; people would
	 * be missing without a word where somebody is deleted while such a list is read, or where one of its pages is refused.
	 */
	private perPage: number;

	constructor(
		private readonly ask: Ask,
		private readonly path: string,
		private readonly options: ListOptions,
		private readonly limit: number,
	) {
		this.pageSize = Math.min(limit, largestPage);
		this.perPage = this.pageSize;
		this.firstNumber = options.firstPage ?? 0;
	}

	async *read(): AsyncGenerator<Page, void> {
		const { firstNumber } = this;
		const firstPage = await this.visit(firstNumber);
		this.perPage = Math.max(1, firstPage.records.length);
		yield this.withoutRepetitions(firstPage);
		const lastNeededNumber = firstNumber + Math.ceil(this.limit / this.perPage) - 1;
		const lastNumber = Math.min(this.lastPage ?? firstNumber, lastNeededNumber);
		const numbers = upTo(lastNumber).slice(firstNumber);
		const otherPages = mapInOrder(numbers, aheadLimits, (number) => this.visit(number));
		let number = firstNumber;
		let previous = firstPage;
		for await (const page of otherPages) {
			number++;
			yield* this.give(number, page, previous);
			previous = page;
		}
		yield* this.readFurtherPages(number + 1, previous);
	}

	/** Gives a page, and before it the records that moved in front of it because others were deleted since the previous page was read. */
	private async *give(number: number, page: Page, previous: Page): AsyncGenerator<Page, void> {
		const isRefused = page.number === undefined && this.tellsOf(number, previous);
		const counted = isRefused ? await this.countAgain(number, previous) : page;
		yield* this.rereadPages(number, counted, deletedBetween(previous, counted));
		yield this.withoutRepetitions(page);
	}

	/**
	 * A page that is refused although the previous one told of it is the end of the list only where the list says by now that it is
	 * shorter. Anything in between may have refused it, and people would be missing without a word.
	 */
	private async countAgain(refused: number, previous: Page): Promise<Page> {
		const page = await this.visit(refused - 1);
		if (page.number === undefined || this.tellsOf(refused, page)) {
			throw this.incomplete(refused, previous, 'was refused');
		}
		return page;
	}

	/**
	 * Reads the pages in front of page `end` again, because as many of its records moved there as were deleted meanwhile. `counted`: the
	 * page that told so, which is not asked for once more.
	 */
	private async *rereadPages(
		end: number,
		counted: Page,
		deletedCount: number,
	): AsyncGenerator<Page, void> {
		// Without ids the records of two reads cannot be told apart.
		if (this.keys.size < this.count) return;
		const start = Math.max(this.firstNumber, end - Math.ceil(deletedCount / this.perPage));
		for (let number = start; number < end && this.tellsOf(number, counted); number++) {
			const page = number === counted.number ? counted : await this.visit(number);
			if (page.number === undefined) throw this.incomplete(number, counted, 'was refused');
			yield this.withoutRepetitions(page);
		}
	}

	/** Reads the pages behind the expected ones, because the list may have grown meanwhile, or may not say how long it is. */
	private async *readFurtherPages(start: number, before: Page): AsyncGenerator<Page, void> {
		let previous = before;
		for (let number = start; this.count < this.limit; number++) {
			const { lastPage } = this;
			if (number > (lastPage ?? number)) return;
			const page = await this.visit(number);
			// A platform that sends one page whatever is asked for would be asked for ever where its records have no ids.
			if (lastPage === undefined && areSame(page, previous)) return;
			const countBefore = this.count;
			yield* this.give(number, page, previous);
			if (this.count === countBefore) return;
			previous = page;
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

	/** Reads a page, and notes what it tells about the end of the list. Pages are read ten at a time and arrive in any order. */
	private async visit(number: number): Promise<Page> {
		if (this.options.signal?.aborted) throw new Cancelled();
		if (number >= this.endPage) return emptyPage;
		const page = await this.fetchPage(number);
		if (page === undefined || (number > this.firstNumber && page.records.length === 0)) {
			this.endPage = Math.min(this.endPage, number);
		}
		if (page === undefined) return emptyPage;
		// Without a count of pages a short page is the last.
		const lastPage = page.lastPage ?? (page.records.length < this.pageSize ? number : undefined);
		this.lastPage = lastPage;
		return { ...page, lastPage, number };
	}

	/**
	 * Undefined means that the list does not have the page: one that does not exist is refused with a 400, and an empty list need not
	 * have a page 0 (4.2).
	 */
	private async fetchPage(number: number): Promise<Page | undefined> {
		const request = this.requestOf(number);
		const response = await this.ask(request).catch(asFailure);
		if (response instanceof Failure) {
			const lacksNeededWords =
				this.options.isEmptyInWordsOnly && number === 0 && response.errors.length === 0;
			if (response.cause === 'page_out_of_range' && !lacksNeededWords) return undefined;
			throw response;
		}
		const page = readPage(request, response);
		// An empty page whose own count says that the list has records there is a fault, and no end. Nobody has seen one; people would
		// be missing from Sync and from a report without a word.
		const { records, recordCount } = page;
		const hasNone = records.length === 0 && recordCount !== undefined;
		if (hasNone && this.tellsOf(number, page)) throw this.incomplete(number, page, 'is empty');
		return page;
	}

	/** Says whether the list has records on page `number`, by the counts of another page or its own. */
	private tellsOf(number: number, { lastPage, recordCount }: Page): boolean {
		if (lastPage === undefined && recordCount === undefined) return false;
		return number <= (lastPage ?? number) && number * this.perPage < (recordCount ?? Infinity);
	}

	private incomplete(
		number: number,
		{ lastPage = number, recordCount }: Page,
		fault: 'is empty' | 'was refused',
	): Failure {
		const count = recordCount === undefined ? '' : ` The list has ${recordCount} records.`;
		const detail = `Page ${number + 1} of ${lastPage + 1} ${fault}.${count}`;
		return new Failure('incomplete_list', this.requestOf(number), { errors: [{ detail }] });
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

function areSame({ records }: Page, { records: others }: Page): boolean {
	return JSON.stringify(records) === JSON.stringify(others);
}
