import { readPage, type Page } from './page';
import { mapConcurrently } from './concurrently';
import { upTo } from '../values/collections';
import { recordKey } from './document';
import type { ApiRequest, Ask, Query } from './request';
import type { JsonObject } from '../values/json';
import { asFailure, type Failure } from './failure';
import { Cancelled } from './cancelled';

export interface ListOptions {
	/** How many records are read at most; all of them where it is absent. */
	limit?: number;
	query?: ApiRequest['query'];
	/** As in a request. */
	fallbackQuery?: ApiRequest['fallbackQuery'];
	/** How an answer is read; `readPage` unless said otherwise, which refuses what is no list of records. */
	readAs?: typeof readPage;
	signal?: AbortSignal;
}

/** Makes of a record what is kept of it; undefined leaves the record out. */
export type Keep<Kept> = (record: JsonObject, page: Page) => Kept | undefined;

/** Section 4.2 allows no larger pages. */
export const largestPage = 50;
/** Enough to use five requests per second at two seconds each; the answers in memory stay few. */
const mostUnderWay = 10;

/** Gives the records of a list as they were sent, in the platform's order. */
export async function listRecords(
	ask: Ask,
	path: string,
	options: ListOptions = {},
): Promise<JsonObject[]> {
	return await keepRecords(ask, path, (record) => record, options);
}

/** Gives what `keep` makes of each record of a list as soon as its page has come, so that a long list does not fill the memory. */
export async function keepRecords<Kept>(
	ask: Ask,
	path: string,
	keep: Keep<Kept>,
	options: ListOptions = {},
): Promise<Kept[]> {
	const { limit = Infinity } = options;
	if (limit < 1) return [];
	const list = new List(ask, path, keep, options, limit);
	const entries = await list.read();
	return entries.map(({ kept }) => kept).filter((kept) => kept !== undefined);
}

/** A record of a list, as far as it is kept. */
interface Entry<Kept> {
	/** It recognises the record on another page; undefined where the record has no id. */
	key: string | undefined;
	kept: Kept | undefined;
}

/** Owns what the pages of one list have told so far: their records, and where the list ends. */
class List<Kept> {
	/** The same on every page: another size would cut the list elsewhere. */
	private readonly pageSize: number;
	/** The records that were read, by the number of their page. */
	private readonly pages: Array<Array<Entry<Kept>>> = [];
	/** How many records there were when a page was read, by its number. */
	private readonly recordCounts = new Map<number, number | undefined>();
	/** The number of the last page; undefined where no page has told it. */
	private lastPage?: number;
	/** The first page with nothing, or with what page 0 has: none comes after it, whatever the others say. */
	private endPage?: number;
	private firstPageSign?: string;

	constructor(
		private readonly ask: Ask,
		private readonly path: string,
		private readonly keep: Keep<Kept>,
		private readonly options: ListOptions,
		private readonly limit: number,
	) {
		this.pageSize = Math.min(limit, largestPage);
	}

	/** Page 0 tells how many pages there are (2.4); the others are fetched side by side. */
	async read(): Promise<Array<Entry<Kept>>> {
		await this.readPage(0);
		// The platform may give smaller pages than it was asked for; until now there is but one.
		const perPage = Math.max(1, this.pages.flat().length);
		const lastNeeded = Math.ceil(this.limit / perPage) - 1;
		const last = Math.min(this.lastPage ?? Infinity, lastNeeded);
		if (Number.isFinite(last)) {
			await mapConcurrently(upTo(last), mostUnderWay, (number) => this.readPage(number));
		}
		for (const number of pagesWithGaps(this.recordCounts, perPage)) {
			// Without ids the records of two reads cannot be told apart.
			const mayReadAgain = this.pages[number]?.every(({ key }) => key !== undefined);
			if (mayReadAgain) await this.readPage(number);
		}
		return await this.readOn();
	}

	/** The list may have grown meanwhile, or may not say how long it is. */
	private async readOn(): Promise<Array<Entry<Kept>>> {
		let entries = distinct(this.pages.flat());
		for (let number = this.pages.length; entries.length < this.limit; number++) {
			if (this.lastPage !== undefined && number > this.lastPage) break;
			const before = entries.length;
			await this.readPage(number);
			entries = distinct(this.pages.flat());
			if (entries.length === before) break;
		}
		return entries.slice(0, this.limit);
	}

	private async readPage(number: number): Promise<void> {
		if (this.options.signal?.aborted) throw new Cancelled();
		if (this.endPage !== undefined && number >= this.endPage) return;
		const page = await this.fetchPage(number);
		if (page) this.recordPage(number, page);
		else this.recordMissingPage(number);
	}

	/** Gives undefined for a page that the list does not have. */
	private async fetchPage(number: number): Promise<Page | undefined> {
		const { readAs = readPage } = this.options;
		const request = this.requestOf(number);
		const response = await this.ask(request).catch(async (error: unknown) => {
			if (!(await this.isBeyondTheEnd(number, asFailure(error)))) throw error;
		});
		return response ? readAs(request, response) : undefined;
	}

	/**
	 * 4.2: a page that does not exist is a 400, and an empty list need not have a page 0. Where the words of a later page do
	 * not say so, the first page tells how many there are.
	 */
	private async isBeyondTheEnd(number: number, { cause, status }: Failure): Promise<boolean> {
		if (number === 0) return cause === 'page_out_of_range';
		if (status !== 400) return false;
		if (cause === 'page_out_of_range' || this.lastPage === undefined) return true;
		const { readAs = readPage } = this.options;
		const request = this.requestOf(0);
		const { lastPage } = readAs(request, await this.ask(request));
		return lastPage !== undefined && number > lastPage;
	}

	private recordPage(number: number, page: Page): void {
		const { records, lastPage, recordCount } = page;
		const sign = signOf(page);
		if (number === 0) this.firstPageSign = sign;
		const isFirstAgain = number > 0 && sign !== undefined && sign === this.firstPageSign;
		if (number > 0 && (records.length === 0 || isFirstAgain)) this.endAt(number);
		if (isFirstAgain) return;
		const entries = records.map((record) => ({
			key: recordKey(record),
			kept: this.keep(record, page),
		}));
		// Read again, it keeps what was on it before: that has only moved to the page in front.
		this.pages[number] = [...(this.pages[number] ?? []), ...entries];
		this.recordCounts.set(number, recordCount);
		this.lastPage = lastPage ?? (records.length < this.pageSize ? number : undefined);
	}

	/** Records were deleted meanwhile: the list has become shorter, or there are none at all. */
	private recordMissingPage(number: number): void {
		if (number === 0) this.lastPage = 0;
		else this.endAt(number);
		this.pages[number] ??= [];
		this.recordCounts.set(number, number * (this.pages[0]?.length ?? this.pageSize));
	}

	private endAt(number: number): void {
		this.endPage = Math.min(this.endPage ?? number, number);
	}

	private requestOf(number: number): ApiRequest {
		const { query, fallbackQuery } = this.options;
		const page: Query = { 'page[number]': number, 'page[size]': this.pageSize };
		const fallback = fallbackQuery && { fallbackQuery: { ...fallbackQuery, ...page } };
		return { method: 'GET', path: this.path, query: { ...query, ...page }, ...fallback };
	}
}

/** The pages to read again: records that were deleted between two reads moved as many up to a page that was read already. */
function pagesWithGaps(
	recordCounts: ReadonlyMap<number, number | undefined>,
	perPage: number,
): number[] {
	const gaps = new Set<number>();
	for (const [number, count = 0] of recordCounts) {
		const deleted = count - (recordCounts.get(number + 1) ?? count);
		for (let back = 0; back * perPage < deleted; back++) gaps.add(Math.max(0, number - back));
	}
	return [...gaps].sort((a, b) => a - b);
}

/** Leaves out the repetitions of records that moved to a later page meanwhile. */
function distinct<Kept>(entries: Array<Entry<Kept>>): Array<Entry<Kept>> {
	return [...new Map(entries.map((entry, index) => [entry.key ?? index, entry])).values()];
}

/** Tells the first page, which some answer whatever number is asked for. Records without ids may be alike. */
function signOf({ records, lastPage }: Page): string | undefined {
	const [first = {}] = records;
	return recordKey(first) ?? (lastPage === undefined ? JSON.stringify(records) : undefined);
}
