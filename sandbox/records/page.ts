import { Refusal } from '../refusal';
import type { Row, Selection, Store } from '../store/store';
import type { Call } from './handler';

/** The page of a list that a request asks for. */
interface Page {
	/** Counted from 0. */
	number: number;
	size: number;
	/** Page 0 of a list with nothing in it is a page like others. */
	mayBeEmpty: boolean;
}

/** Section 2.4. */
export interface PageMeta {
	current_page: number;
	previous_page: number | null;
	next_page: number | null;
	record_count: number;
	page_count: number;
	items_per_page: number;
}

const defaultSize = 20;
const maximumSize = 50;

/** Section 4.2: pages count from 0; a size above the maximum is lowered to it, or refused where the platform is strict. */
export function readPage({ query, platform: { options } }: Call): Page {
	const number = whole(query, 'page[number]', 0);
	const size = whole(query, 'page[size]', defaultSize);
	if (size < 1) throw new Refusal(400, `page[size] must be at least 1; it was ${size}.`);
	if (options.strict && size > maximumSize) {
		throw new Refusal(400, `page[size] must be at most ${maximumSize}; it was ${size}.`);
	}
	const mayBeEmpty = options.emptyPage === 'list';
	return { number, size: Math.min(size, maximumSize), mayBeEmpty };
}

function whole(query: Readonly<Record<string, unknown>>, name: string, otherwise: number): number {
	const value = query[name];
	if (value === undefined) return otherwise;
	if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
	const excerpt = JSON.stringify(value).slice(0, 40);
	throw new Refusal(400, `${name} must be a whole number from 0; it was ${excerpt}.`);
}

function pageMeta({ number, size, mayBeEmpty }: Page, count: number): PageMeta {
	const pages = Math.ceil(count / size);
	const exists = number < pages || (number === 0 && mayBeEmpty);
	if (!exists) {
		const last = Math.max(pages - 1, 0);
		const range = pages > 0 || mayBeEmpty ? `the last one is ${last}` : 'this list has none';
		throw new Refusal(
			400,
			`Page ${number} does not exist: pages count from 0 and ${range}.`,
			'page_out_of_range',
		);
	}
	return {
		current_page: number,
		previous_page: number === 0 ? null : number - 1,
		next_page: number + 1 < pages ? number + 1 : null,
		record_count: count,
		page_count: pages,
		items_per_page: size,
	};
}

/** A page of a list. */
interface PageOfRows<T> {
	meta: PageMeta;
	rows: T[];
}

/** One page of what is all at hand, with its meta. */
export function pageOf<T>(all: readonly T[], page: Page): PageOfRows<T> {
	const start = page.number * page.size;
	return { meta: pageMeta(page, all.length), rows: all.slice(start, start + page.size) };
}

/** One page of a selection, with its meta. */
export function readRows(store: Store, selection: Selection, page: Page): PageOfRows<Row> {
	const meta = pageMeta(page, store.count(selection));
	return { rows: store.rows(selection, page.size, page.number * page.size), meta };
}
